import { type FSWatcher, statSync, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Io } from "../../core/connector.ts";
import { type WalkedFolder, type WalkOptions, walkFolders } from "./walk.ts";

/** Folders watched at most: the system lends a watch for each, and has other users. */
const MOST_FOLDERS = 8_000;
/** A change is told once nothing more has happened for so long, but after so long at the latest. */
const QUIET_MS = 500;
const LONGEST_MS = 10_000;
const IGNORE_FILES: ReadonlySet<string> = new Set([".gitignore", ".contextdignore"]);

/**
 * Yields whenever something has happened to what `walk` gives for a folder or file: a save, a move, a deletion, a folder
 * that comes back after it was gone. One watch a folder: Node's own recursive one takes one a file, and follows links.
 * Ends when the signal aborts.
 */
export async function* watchFolder(
  root: string,
  options: WalkOptions,
  io: Pick<Io, "signal" | "log" | "wait">,
): AsyncGenerator<void, void> {
  using watches = new FolderWatches(root, options, io.log);
  const pause = io.wait ?? ((ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }));
  await watches.renew();
  try {
    for (;;) {
      await watches.happened(io.signal);
      const began = performance.now();
      do {
        watches.calm();
        await pause(QUIET_MS, io.signal);
      } while (watches.isBusy && performance.now() - began < LONGEST_MS);
      await watches.renew();
      // what is away is no news: its records are kept until it is back
      if (watches.isThere) yield;
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
}

class FolderWatches implements Disposable {
  readonly #root: string;
  readonly #options: WalkOptions;
  readonly #log: Io["log"];
  readonly #watched = new Map<string, FSWatcher>();
  #waiting: PromiseWithResolvers<void> | null = null;
  #changed = false;
  /** Folders came or went, so that the watches are to be looked through. */
  #moved = true;
  #told = false;
  isThere = false;

  constructor(root: string, options: WalkOptions, log: Io["log"]) {
    this.#root = root;
    this.#options = options;
    this.#log = log;
  }

  get isBusy(): boolean {
    return this.#changed;
  }

  calm(): void {
    this.#changed = false;
  }

  /** Resolves at the next change, or at once where one was not calmed. */
  async happened(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#changed) return;
    const waiting = Promise.withResolvers<void>();
    this.#waiting = waiting;
    const stop = () => waiting.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await waiting.promise;
    } finally {
      this.#waiting = null;
      signal.removeEventListener("abort", stop);
    }
  }

  /** Watches folders that came, lets those go that went. */
  async renew(): Promise<void> {
    if (!this.#moved) return;
    this.#moved = false;
    const info = await stat(this.#root).catch(() => null);
    const was = this.isThere;
    this.isThere = info !== null;
    if (info === null) {
      this.#keep(new Set());
      await this.#awaitRoot();
    } else if (info.isFile()) {
      const name = basename(this.#root);
      this.#keep(new Set([dirname(this.#root)]));
      this.#add(dirname(this.#root), (changed) => changed === name);
    } else await this.#addFolders();
    if (this.isThere && !was) this.#told = false;
    this.#log.debug({ root: this.#root, folders: this.#watched.size, isThere: this.isThere }, "folders watched");
  }

  async #addFolders(): Promise<void> {
    const found = new Set<string>();
    try {
      for await (const folder of walkFolders(this.#root, this.#options)) {
        if (found.size >= MOST_FOLDERS) {
          this.#tell({ folders: MOST_FOLDERS }, "not every folder is watched: what changes in the others is read by the next planned run");
          break;
        }
        found.add(folder.path);
        this.#add(folder.path, (name) => this.#matters(folder, name));
      }
    } catch {
      this.#moved = true; // a folder went while it was looked at
      this.#notice();
    }
    this.#keep(found);
  }

  /** The nearest folder that is there tells when the next part of the path comes. */
  async #awaitRoot(): Promise<void> {
    let folder = this.#root;
    while (dirname(folder) !== folder && (await stat(folder).catch(() => null)) === null) folder = dirname(folder);
    this.#keep(new Set([folder]));
    this.#add(folder, () => {
      this.#moved = true;
      return true;
    });
    this.#tell({ folder: this.#root }, "a watched folder is away");
  }

  #matters(folder: WalkedFolder, name: string): boolean {
    const path = join(folder.path, name);
    const isFolder = this.#watched.has(path) || (folder.enters(name) && isDirectory(path));
    if (isFolder || IGNORE_FILES.has(name) || name === basename(folder.path)) {
      // another folder may stand at the same place: its watch would be of the one that went
      for (const watched of this.#watched.keys()) if (watched === path || watched.startsWith(`${path}/`)) this.#drop(watched);
      if (name === basename(folder.path)) this.#drop(folder.path);
      this.#moved = true;
      return true;
    }
    return folder.reads(name);
  }

  #add(folder: string, matters: (name: string) => boolean): void {
    if (this.#watched.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null) this.#moved = true;
        if (name === null || matters(name)) this.#notice();
      });
      watcher.on("error", () => {
        this.#drop(folder);
        this.#moved = true;
        this.#notice();
      });
      this.#watched.set(folder, watcher);
    } catch (error) {
      // no watches left, or the folder has gone meanwhile
      this.#tell({ folder, err: error }, "a folder cannot be watched: what changes in it is read by the next planned run");
    }
  }

  #keep(folders: ReadonlySet<string>): void {
    for (const folder of this.#watched.keys()) if (!folders.has(folder)) this.#drop(folder);
  }

  #drop(folder: string): void {
    this.#watched.get(folder)?.close();
    this.#watched.delete(folder);
  }

  #notice(): void {
    this.#changed = true;
    this.#waiting?.resolve();
  }

  /** Once, until the folder was away. */
  #tell(fields: object, message: string): void {
    if (this.#told) return;
    this.#told = true;
    this.#log.warn(fields, message);
  }

  [Symbol.dispose](): void {
    this.#keep(new Set());
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
