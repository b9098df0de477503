/** Parses replies of the exchange's quote service (MIS) into ticks; all its values are strings, and "-" means none. */
import { price } from "#contract/kernel/money.ts";
import { MINUTE_MS, SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { countIn, dayIn, priceIn } from "./number.ts";
import type { DayTick, Tick } from "./port.ts";

/** One instrument's row of a reply. */
export type MisRow = Readonly<Record<string, unknown>>;

export interface MisReply {
  rows: readonly MisRow[];
  /** The delay the service asks for before the next call, in milliseconds. */
  delayMs: number;
  /** The service's clock in epoch milliseconds, to the second; null when not given. */
  clock: number | null;
}

const isObject = (value: unknown): value is MisRow => typeof value === "object" && value !== null && !Array.isArray(value);

/** A time of day as `HH:MM:SS`, in milliseconds; null for none. */
function timeIn(value: unknown): number | null {
  const match = typeof value === "string" ? /^(\d{2}):(\d{2}):(\d{2})$/.exec(value) : null;
  return match && (Number(match[1]) * 60 + Number(match[2])) * MINUTE_MS + Number(match[3]) * SECOND_MS;
}

function momentIn(date: unknown, time: unknown): number | null {
  const day = dayIn(date);
  const since = timeIn(time);
  return day === null || since === null ? null : taipeiMidnight(day) + since;
}

/** Parses a reply; null when it is none, or reports an error. */
export function readMis(body: string): MisReply | null {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(reply) || reply["rtcode"] !== "0000" || !Array.isArray(reply["msgArray"])) return null;
  const queryTime = isObject(reply["queryTime"]) ? reply["queryTime"] : {};
  return {
    rows: reply["msgArray"].filter(isObject),
    delayMs: countIn(reply["userDelay"]) ?? 0,
    clock: momentIn(queryTime["sysDate"], queryTime["sysTime"]),
  };
}

/** The channel of a row, as requested: `tse_2330.tw`. */
export function channelOf({ ex, ch }: MisRow): string {
  return typeof ex === "string" && typeof ch === "string" ? `${ex}_${ch}` : "";
}

/**
 * Levels from their prices and sizes, each terminated by `_`. Market orders are at 0.0000: they count at the price limit, before
 * all others.
 */
function levelsIn(prices: unknown, sizes: unknown, limit: number | null): Level[] {
  const parts = (value: unknown): string[] => (typeof value === "string" ? value.split("_") : []);
  const lots = parts(sizes).map(countIn);
  const levels: Level[] = [];
  for (const [at, text] of parts(prices).entries()) {
    const written = priceIn(text);
    const level = written === 0 ? limit : written;
    const size = lots[at] ?? 0;
    if (!level || size <= 0) continue;
    const before = levels.at(-1);
    if (before?.[0] === level) before[1] += size;
    else levels.push([level, size]);
  }
  return levels.slice(0, LEVELS);
}

/** What the service writes where a day has no limits: the highest and lowest price it can express. */
const NO_LIMITS = { up: 99_999_500, down: 100 };

/** The day's limits of a row; null where it has none of the two fields. */
function limitsIn({ u, w }: MisRow): DayTick["limits"] {
  const up = priceIn(u);
  const down = priceIn(w);
  if (!up || !down) return null;
  return up >= NO_LIMITS.up && down <= NO_LIMITS.down ? "none" : { up: price(up), down: price(down) };
}

/** The service counts the turnover of an index in NT$ million. */
const MILLION = 1_000_000;

/** The last prices of instruments by code, each with its date: a trade between two of our calls may show its lots but no price. */
export type LastPrices = Map<string, { date: unknown; price: number }>;

/** The ticks of a row, oldest first: the day, a trade when lots were added, the book. Empty for a row without a time. */
export function ticksIn(row: MisRow, code: string, index: boolean, lastPrices: LastPrices): Tick[] {
  // `tlong` is the row's latest change of any kind (after the close it continues to the last odd lot), `t` its latest match.
  const matchedAt = momentIn(row["d"], row["t"]);
  const at = countIn(row["tlong"]) ?? matchedAt;
  if (at === null) return [];
  // Trial match data are no prices of the day: neither `pz`, nor anything else while the flag is set.
  const trial = row["ts"] === "1";
  const printed = trial ? null : priceIn(row["z"]);
  if (printed) lastPrices.set(code, { date: row["d"], price: printed });
  const known = lastPrices.get(code);
  const last = known && known.date === row["d"] ? known.price : null;
  const volume = countIn(row["v"]);
  const [reference, open, high, low] = [row["y"], row["o"], row["h"], row["l"]].map((value) => priceIn(value) || null);
  const day = {
    kind: "day" as const,
    code,
    at,
    reference: reference ?? null,
    open: open ?? null,
    high: high ?? null,
    low: low ?? null,
    limits: limitsIn(row),
  };
  if (index) return [{ ...day, last: printed || null, volume: null, turnover: volume === null ? null : volume * MILLION }];
  const ticks: Tick[] = [{ ...day, last: printed || null, volume, turnover: null }];
  if (!trial && last && volume) ticks.push({ kind: "trade", code, at: Math.min(at, matchedAt ?? at), price: last, volume, side: null });
  const bids = levelsIn(row["b"], row["g"], priceIn(row["u"]));
  const asks = levelsIn(row["a"], row["f"], priceIn(row["w"]));
  ticks.push({ kind: "book", code, at, bids, asks, trial });
  return ticks;
}
