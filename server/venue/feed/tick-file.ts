/**
 * Reads and writes recorded ticks: a file of JSON lines. The first line lists the instruments, every other one is a tick as emitted
 * by a feed (`Tick`), in order of emission.
 */
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import * as z from "zod/mini";
import { Category, Instrument, Kind } from "#contract/instrument.ts";
import { usualLimitPercent } from "#contract/tick.ts";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import { FeedFailed, Tick } from "./port.ts";

/** An instrument of a recording; old recordings lack its daily limit, whether it is a bond fund, and the moments of its listing. */
const Recorded = z.pipe(
  z.transform((value: unknown): unknown => {
    const late = z.optional(z.unknown());
    const known = z.object({ kind: Kind, limitPercent: late, bonds: late, tradesFrom: late, freeUntil: late }).safeParse(value);
    if (!known.success) return value;
    const { kind, limitPercent = usualLimitPercent(kind), bonds = false, tradesFrom = 0, freeUntil = 0 } = known.data;
    return Object.assign({}, value, { limitPercent, bonds, tradesFrom, freeUntil });
  }),
  Instrument,
);

/** The first line. */
export const TickFileHead = z.object({
  format: z.literal("kuroshio-ticks-1"),
  universe: z.string(),
  hours: z.enum(HOURS),
  simulated: z.boolean(),
  /** How long the feed's last tick could be traded on, by the recording's clock. */
  patienceMs: z.int().check(z.minimum(1)),
  instruments: z.array(Recorded),
  categories: z.array(Category),
});
export type TickFileHead = z.infer<typeof TickFileHead>;

/** One value as a line of the file. */
export function lineOf(value: TickFileHead | Tick): string {
  return `${JSON.stringify(value)}\n`;
}

function read<Value>(schema: z.ZodMiniType<Value>, line: string): Value | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export interface TickFile {
  head: TickFileHead;
  /** The ticks in file order; lines that are no ticks are skipped. */
  ticks: AsyncGenerator<Tick, void>;
}

async function* ticksOf(file: FileHandle, lines: AsyncIterator<string>): AsyncGenerator<Tick, void> {
  try {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const tick = read<Tick>(Tick, line.value);
      if (tick) yield tick;
    }
  } finally {
    await file.close();
  }
}

/**
 * Opens a file of recorded ticks. Reading the ticks to the end closes it.
 * @throws FeedFailed when the file does not exist, or holds no recorded ticks
 */
export async function openTickFile(path: string): Promise<TickFile> {
  const file = await open(path).catch((error: unknown) => {
    throw new FeedFailed(`REPLAY_FILE cannot be read: ${String(error)}`);
  });
  const lines = file.readLines({ encoding: "utf8", autoClose: false })[Symbol.asyncIterator]();
  const first = await lines.next();
  const head = read<TickFileHead>(TickFileHead, first.done === true ? "" : first.value);
  // A row is an index into the table.
  if (head?.instruments.every(({ row }, place) => row === place)) return { head, ticks: ticksOf(file, lines) };
  await file.close();
  throw new FeedFailed(`REPLAY_FILE is not a file of recorded ticks: ${path}`);
}
