/** The server's log: lines of JSON on standard output. */
import { pino, stdSerializers } from "pino";
import type { DestinationStream, Logger } from "pino";
import { standardOutput } from "./standard-output.ts";

/**
 * What a database error tells besides its message: whole rows and keys. A log must not have them: they hold members' names and ID numbers,
 * and bids before they are opened.
 */
const ROWS = ["detail", "where", "internalQuery"];

/** An error as it is logged, without the rows that a database quotes. */
function withoutRows(error: Error): Record<string, unknown> {
  const { raw: _raw, ...facts } = stdSerializers.errWithCause(error);
  const cleaned: Record<string, unknown> = Object.fromEntries(Object.entries(facts).filter(([name]) => !ROWS.includes(name)));
  return error.cause instanceof Error ? { ...cleaned, cause: withoutRows(error.cause) } : cleaned;
}

/** Opens the log, on standard output unless a stream is given. */
export function openLog(level: string, stream: DestinationStream = standardOutput): Logger {
  return pino({ level, serializers: { err: withoutRows } }, stream);
}
