import { type DestinationStream, pino } from "pino";
import type { Log } from "./core/connector.ts";

const SECRET_FIELDS = ["token", "password", "secret", "authorization", "apiKey", "email"];

/**
 * Structured logs on standard error, one JSON object a line.
 * @param level trace, debug, info, warn, error or silent; an unknown word means info
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const known = ["trace", "debug", "info", "warn", "error", "fatal", "silent"].includes(level) ? level : "info";
  const logger = pino(
    {
      level: known,
      base: { service: "contextd" },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: "[redacted]" },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}
