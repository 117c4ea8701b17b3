import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../core/folder.ts";
import { folderError } from "../store/open.ts";

/** A file beside the store, and not a row in it: so the command line can pause a daemon that holds the store. */
export const PAUSE_FILE = "schedule-paused";

/** Whether planned runs are left out, and since when; kept over restarts. */
export class SchedulePause {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** ISO time; null while runs go as planned. */
  since(): string | null {
    try {
      return readFileSync(this.file, "utf8").trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /**
   * Pausing twice keeps the first time.
   * @throws ContextError DATA_DIR_UNWRITABLE
   */
  set(paused: boolean, now: Date): void {
    try {
      if (!paused) rmSync(this.file, { force: true });
      else if (this.since() === null) {
        makeFolder(dirname(this.file));
        writeFileSync(this.file, `${now.toISOString()}\n`);
      }
    } catch (error) {
      throw folderError(error, this.file);
    }
  }
}
