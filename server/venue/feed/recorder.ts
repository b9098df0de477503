/** Writes down what a market does, for a replay: any feed as it speaks, or the sandbox through what it shows. */
import { DAY_MS, HOUR_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Feed, Tick } from "./port.ts";
import { lineOf } from "./tick-file.ts";

type Write = (line: string) => void;

const FORMAT = "kuroshio-ticks-1";
/** The sandbox says something every beat. */
const SANDBOX_PATIENCE_MS = 3 * SECOND_MS;

/**
 * Record a feed, word for word.
 * @returns how to stop it
 */
export async function recordFeed(feed: Feed, write: Write): Promise<() => Promise<void>> {
  const { latest: _latest, ...listing } = await feed.open();
  write(
    lineOf({
      format: FORMAT,
      ...listing,
      patienceMs: feed.patienceMs,
      instruments: [...listing.instruments],
      categories: [...listing.categories],
    }),
  );
  feed.start((tick) => write(lineOf(tick)));
  return () => feed.stop();
}

/** What was written of a row last: its day's marks and its book as text, its newest trade. */
interface Written {
  day: string;
  book: string;
  n: number;
}

/** The trades of a row above trade `n`, oldest first. The last of them makes up the day's lots, whatever the tape missed. */
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

/** Record what a venue shows; start and stop the venue yourself. @returns how to stop recording */
export function recordVenue(venue: Venue, write: Write, now: () => number = Date.now): () => void {
  const { universe, opensAt, closesAt, simulated } = venue.state(now());
  const rows: Written[] = [];
  const tell = (tick: Tick): void => write(lineOf(tick));
  const newest = (row: number): number => venue.tape(row, 0, 1)[0] ?? 0;

  const note = (row: number): void => {
    const instrument = venue.instruments[row];
    if (!instrument) return;
    const { code, kind } = instrument;
    const quote = venue.quote(row);
    const { at, reference, open, high, low, last, volume, turnover } = quote;
    const { bids, asks } = venue.depth(row);
    const written = (rows[row] ??= { day: "", book: "", n: newest(row) });
    const day = JSON.stringify(kind === "index" ? quote : [reference, open, high, low]);
    const book = JSON.stringify([bids, asks]);
    if (day !== written.day) tell({ kind: "day", code, at, reference, open, high, low, last, volume, turnover });
    // Another day numbers its trades from 1 again.
    if (newest(row) < written.n) written.n = 0;
    for (const tick of kind === "index" ? [] : tradesOf(venue, quote, code, written.n)) tell(tick);
    if (book !== written.book && kind !== "index") tell({ kind: "book", code, at, bids, asks, trial: false });
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
  for (const row of venue.instruments.keys()) note(row);
  const stopListening = venue.onChange((changed) => changed.forEach(note));
  const timer = setInterval(() => {
    if (venue.fresh(now())) tell({ kind: "alive", at: now() });
  }, SECOND_MS);
  return () => {
    stopListening();
    clearInterval(timer);
  };
}
