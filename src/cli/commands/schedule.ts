import type { ScheduleStatus } from "../../core/app.ts";
import { ContextError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

export const scheduleCommand: Command = {
  name: "schedule",
  usage: "schedule [show | pause | resume]",
  about: "Shows when the index is brought up to date by itself; pauses and resumes that, also while the daemon runs.",
  options: {},
  async run({ args, json, io, open }) {
    const [action = "show", ...more] = args;
    if (more.length > 0 || !["show", "pause", "resume"].includes(action))
      throw new ContextError("USAGE", `schedule is followed by show, pause or resume, not "${args.join(" ")}".`);
    const app = await open();
    if (action !== "show") app.pauseSchedule(action === "pause");
    const status = app.scheduleStatus();
    io.out(json ? JSON.stringify(status) : statusText(status));
    return 0;
  },
};

function statusText({ cron, timezone, jitterSeconds, pausedSince, nextRun, lastRun }: ScheduleStatus): string {
  const late = jitterSeconds === 0 ? "" : `, up to ${jitterSeconds} s late`;
  const next = pausedSince !== null ? `paused since ${pausedSince}` : (nextRun ?? "none within a month");
  return [
    `planned   ${cron} (${timezone})${late}`,
    `next run  ${next}`,
    `last run  ${lastRun === null ? "none planned has run yet" : `${lastRun.startedAt}, ${lastRun.status} (${lastRun.id})`}`,
  ].join("\n");
}
