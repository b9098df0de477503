/** Volume by price of a session, estimated from its minute bars. */
import { CANDLE_STRIDE, MAX_CANDLES } from "#contract/candle.ts";
import type { Kind } from "#contract/instrument.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { step } from "#contract/tick.ts";
import { candleAt } from "./candle.ts";
import type { BarSource } from "./bar-reader.ts";
import type { VolumeByPrice } from "#workers/protocol.ts";

/** A minute that spans more ticks than this counts at its close: a price without a usable tick table. */
const MAX_TICKS = 200;

/** The ticks from `low` to `high`. */
function ticksOf(kind: Kind, low: number, high: number): number[] {
  const ticks = [low];
  for (let at = low; at < high && ticks.length <= MAX_TICKS; ticks.push(at)) at = step(kind, at, 1);
  return ticks;
}

/**
 * Sums flat minute bars from `since` on by price, highest first. A minute's volume is spread evenly over the ticks between its low and its
 * high; what does not divide is counted at its close, so that the total is exact.
 */
export function volumeByPrice(bars: readonly number[], kind: Kind, since: number): VolumeByPrice {
  const lots = new Map<number, number>();
  const add = (price: number, volume: number): void => void (volume > 0 && lots.set(price, (lots.get(price) ?? 0) + volume));
  let [from, to, total] = [0, 0, 0];
  for (let place = 0; place + CANDLE_STRIDE <= bars.length; place += CANDLE_STRIDE) {
    const { at, low, high, close, volume } = candleAt(bars, place);
    if (at < since || volume <= 0) continue;
    from ||= at;
    to = at + MINUTE_MS;
    total += volume;
    const ticks = ticksOf(kind, low, high);
    const each = ticks.length > MAX_TICKS ? 0 : Math.floor(volume / ticks.length);
    if (each > 0) for (const tick of ticks) add(tick, each);
    add(close, volume - each * ticks.length);
  }
  return { from, to, total, prices: [...lots].toSorted(([a], [b]) => b - a) };
}

/**
 * Reads the minute bars of a session and sums them.
 * @throws CallFailure
 */
export async function readVolumeByPrice(source: BarSource, code: string, kind: Kind, since: number): Promise<VolumeByPrice> {
  let bars: number[] = [];
  for (let more = true; more && (bars[0] ?? Infinity) > since;) {
    const page = await source.bars(code, "minute", bars[0] ?? null, MAX_CANDLES);
    bars = [...page.bars, ...bars];
    more = page.more && page.bars.length > 0;
  }
  return volumeByPrice(bars, kind, since);
}
