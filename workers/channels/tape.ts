/** The newest trades of the watched instrument: in order, each once, with formatted texts. */
import type { Instrument } from "#contract/instrument.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { TAPE_STRIDE } from "#contract/tape.ts";
import type { TradeBatch } from "#contract/tape.ts";
import { shortNumber } from "#workers/short-number.ts";
import type { Units } from "#workers/short-number.ts";
import { rowOf } from "./channel-part.ts";
import type { ChannelPart, InstrumentIndex } from "./channel-part.ts";

/** How many trades the worker keeps and sends. */
export const TAPE_SHOWN = 50;

/** The newest trades of the watched tape, at most TAPE_SHOWN: flat TAPE_FIELDS, oldest first, and formatted texts per trade. */
export interface TapeUpdate {
  code: string;
  flat: number[];
  texts: [time: string, price: string, lots: string][];
}

interface Line {
  trade: number[];
  text: TapeUpdate["texts"][number];
}

const N = 0;
const AT = 1;
const fieldOf = (line: Line | undefined, field: number): number => line?.trade[field] ?? 0;

export class Tape {
  #lines: Line[] = [];

  /**
   * Takes trades, oldest first, from a push or a snapshot. Returns whether trades between the known ones and these are missing; then
   * only these are kept until a snapshot fills the gap.
   */
  take(flat: readonly number[], { decimals }: Instrument, units: Units): boolean {
    let gap = false;
    for (let from = 0; from + TAPE_STRIDE <= flat.length; from += TAPE_STRIDE) {
      const trade = flat.slice(from, from + TAPE_STRIDE);
      const [n = 0, at = 0, price = 0, lots = 0] = trade;
      const last = this.#lines.at(-1);
      // A later trade with a smaller number means a new day or a restarted venue.
      if (last && n <= fieldOf(last, N) && at > fieldOf(last, AT)) this.#lines = [];
      const line: Line = { trade, text: [formatTime(at), formatPrice(price, decimals), shortNumber(lots, units)] };
      gap = this.#put(line, n) || gap;
    }
    this.#lines.splice(0, this.#lines.length - TAPE_SHOWN);
    return gap;
  }

  #put(line: Line, n: number): boolean {
    const lines = this.#lines;
    const newest = fieldOf(lines.at(-1), N);
    if (lines.length === 0 || n === newest + 1) {
      lines.push(line);
      return false;
    }
    if (n > newest) {
      this.#lines = [line];
      return true;
    }
    // Already known, or older than all known trades: a snapshot's trades are inserted before them.
    const place = lines.findIndex((each) => fieldOf(each, N) >= n);
    if (fieldOf(lines[place], N) !== n) lines.splice(place, 0, line);
    return false;
  }

  /** The trades as sent to the page. */
  update(code: string): TapeUpdate {
    return { code, flat: this.#lines.flatMap(({ trade }) => trade), texts: this.#lines.map(({ text }) => text) };
  }
}

/** The tape of one code as a channel. */
export function watchTape(code: string): ChannelPart<"tape", TapeUpdate> {
  const tape = new Tape();
  let changed = false;
  return {
    subscribe: (instruments) => rowOf(code, instruments),
    apply({ row, trades }: TradeBatch, { instruments }: InstrumentIndex, units: Units) {
      const instrument = instruments[row];
      if (!instrument || instrument.code !== code) return false;
      changed = true;
      return tape.take(trades, instrument, units);
    },
    publish() {
      const update = changed ? tape.update(code) : null;
      changed = false;
      return update;
    },
  };
}
