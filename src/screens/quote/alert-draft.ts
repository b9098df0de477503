/** The levels of the alert form: the initial level, and how a level is typed, stepped and parsed. */
import { ALERT_KINDS } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import type { Instrument, Kind } from "#contract/instrument.ts";
import { parsePrice, typedPrice } from "#contract/kernel/money.ts";
import { step, toTick } from "#contract/tick.ts";

type Subject = Pick<Instrument, "kind" | "decimals">;

/** The initial distance of a level from the last price, in percent: an ordinary daily move. */
const DAILY_MOVE_PERCENT: Record<Kind, number> = {
  stock: 3,
  preferred: 3,
  etf: 2,
  etn: 3,
  tdr: 3,
  reit: 2,
  bond: 1,
  index: 1,
  crypto: 4,
  forex: 0.5,
};
/** The step of a percentage, in hundredths of a percent. */
const PERCENT_STEP = 25;
const MIN_VOLUME = 100;

/** The alert kinds of an instrument: indices and exchange rates have no volume. */
export function alertKinds({ kind }: Pick<Instrument, "kind">): readonly AlertKind[] {
  return kind === "index" || kind === "forex" ? ALERT_KINDS.filter((one) => one !== "volume") : ALERT_KINDS;
}

/** One tenth of a number's order of magnitude: 12,345 steps by thousands. */
const volumeStep = (lots: number): number => Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, lots))) - 1));

/** The initial level: not reached yet, an ordinary daily move away; for volume twice today's. 0 while no price is known. */
export function usualLevel(alert: AlertKind, { kind }: Subject, { last, reference, volume }: PriceRange): number {
  if (alert === "rise" || alert === "fall") return DAILY_MOVE_PERCENT[kind] * 100;
  if (alert === "volume") {
    const twice = volume * 2;
    const unit = volumeStep(twice);
    return Math.max(MIN_VOLUME, Math.ceil(twice / unit) * unit);
  }
  const from = last > 0 ? last : reference;
  if (from <= 0) return 0;
  return toTick(kind, from * (1 + ((alert === "above" ? 1 : -1) * DAILY_MOVE_PERCENT[kind]) / 100));
}

/** A level as typed text. */
export function typedLevel(alert: AlertKind, level: number, decimals: number): string {
  if (alert === "volume") return String(level);
  if (alert === "rise" || alert === "fall") return (level / 100).toFixed(2);
  return typedPrice(level, decimals);
}

/** Parses a typed level; null if invalid. Percentages have up to two decimals. */
export function parseLevel(alert: AlertKind, text: string): number | null {
  if (alert === "above" || alert === "below") return parsePrice(text);
  const match = (alert === "volume" ? /^(\d{1,12})$/ : /^(\d{1,4})(?:\.(\d{0,2}))?$/).exec(text.replaceAll(",", "").trim());
  if (!match) return null;
  return alert === "volume" ? Number(match[1]) : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Steps a level: ticks, quarters of a percent, or tenths of a volume; never below one step. */
export function steppedLevel(alert: AlertKind, level: number, { kind }: Subject, by: 1 | -1, steps: number): number {
  let out = level;
  for (let at = 0; at < steps; at += 1) {
    if (alert === "above" || alert === "below") out = step(kind, out, by);
    else if (alert === "volume") out = Math.max(1, out + by * volumeStep(by > 0 ? out : out - 1));
    else out = Math.max(PERCENT_STEP, out + by * PERCENT_STEP);
  }
  return out;
}
