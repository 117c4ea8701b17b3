import { z } from "zod";

/** A file in the data folder, readable by its owner alone, while a daemon writes there: how the command line finds it. */
export const DAEMON_FILE = "daemon.json";

/** What stands in it. */
export const DaemonFile = z.object({
  url: z.url(),
  /** Another one after each start. */
  key: z.string().min(32),
});
export type DaemonFile = z.infer<typeof DaemonFile>;
