/** Records a market for later replay: any feed tick by tick, or the sandbox by what it displays. */
import { DAY_MS, HOUR_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Feed, Tick } from "./port.ts";
import { lineOf } from "./tick-file.ts";

type Write = (line: string) => void;

const FORMAT = "kuroshio-ticks-1";
/** The sandbox updates many times a second. */
const SANDBOX_PATIENCE_MS = 3 * SECOND_MS;

/**
 * Records a feed unchanged.
 * @returns a function that stops it
 */
export async function recordFeed(feed: Feed, write: Write): Promise<() => Promise<void>> {
  const { latest: _latest, ...feedMarket } = await feed.open();
  write(
    lineOf({
      format: FORMAT,
      ...feedMarket,
      patienceMs: feed.patienceMs,
      instruments: [...feedMarket.instruments],
      categories: [...feedMarket.categories],
    }),
  );
  feed.start((tick) => write(lineOf(tick)));
  return () => feed.stop();
}

/** The last state written of a row: its day and book as text, and its newest trade. */
interface Written {
  day: string;
  book: string;
  n: number;
}

/** The trades of a row above trade `n`, oldest first. The last one's volume equals the day's lots, whatever the tape missed. */
function tradesOf(venue: Venue, quote: Quote, code: string, n: number): Tick[] {
  const flat = venue.tape(quote.row, n, MAX_TRADES);
  const ticks: Tick[] = [];
  let { volume } = quote;
  for (let from = flat.length - TAPE_STRIDE; from >= 0; from -= TAPE_STRIDE) {
    const { at, price, lots, side } = tradeAt(flat, from);
    ticks.unshift({ kind: "trade", code, at, price, volume, side: side > 0 ? 1 : side < 0 ? -1 : 0 });
    volume -= lots;
  }
  return ticks;
}

/** Records what a venue displays; the caller starts and stops the venue. @returns a function that stops recording */
export function recordVenue(venue: Venue, write: Write, now: () => number = Date.now): () => void {
  const { universe, opensAt, closesAt, simulated } = venue.state(now());
  const rows: Written[] = [];
  const emit = (tick: Tick): void => write(lineOf(tick));
  const newest = (row: number): number => venue.tape(row, 0, 1)[0] ?? 0;

  const writeRow = (row: number): void => {
    const instrument = venue.instruments[row];
    if (!instrument) return;
    const { code, kind } = instrument;
    const quote = venue.quote(row);
    const { at, reference, open, high, low, last, volume, turnover } = quote;
    const { bids, asks } = venue.depth(row);
    const written = (rows[row] ??= { day: "", book: "", n: newest(row) });
    const day = JSON.stringify(kind === "index" ? quote : [reference, open, high, low]);
    const book = JSON.stringify([bids, asks]);
    if (day !== written.day) emit({ kind: "day", code, at, reference, open, high, low, last, volume, turnover });
    // Trade numbers restart at 1 each day.
    if (newest(row) < written.n) written.n = 0;
    for (const tick of kind === "index" ? [] : tradesOf(venue, quote, code, written.n)) emit(tick);
    if (book !== written.book && kind !== "index") emit({ kind: "book", code, at, bids, asks, trial: false });
    rows[row] = { day, book, n: newest(row) };
  };

  write(
    lineOf({
      format: FORMAT,
      universe,
      hours: closesAt - opensAt >= DAY_MS ? "always" : closesAt - opensAt >= HOUR_MS ? "taiwan" : "compressed",
      simulated,
      patienceMs: SANDBOX_PATIENCE_MS,
      instruments: [...venue.instruments],
      categories: [...venue.categories],
    }),
  );
  for (const row of venue.instruments.keys()) writeRow(row);
  const stopListening = venue.onChange((changed) => changed.forEach(writeRow));
  const timer = setInterval(() => {
    if (venue.fresh(now())) emit({ kind: "alive", at: now() });
  }, SECOND_MS);
  return () => {
    stopListening();
    clearInterval(timer);
  };
}
