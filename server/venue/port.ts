/** The venue as the broker sees it: a market of instruments with quotes, books and candles, and no idea of members. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { Board, Category, Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Depth, Quote, Ranking } from "#contract/quote.ts";

/** What a matcher is asked: whole lots on one side, at market (`limit` null) or at a price or better. */
export interface Want {
  row: number;
  side: "buy" | "sell";
  limit: Price | null;
  lots: number;
}

/** One execution against a level of the book, with why it got its price. */
export interface Execution {
  price: Price;
  lots: number;
  /** 1 for the best level. */
  level: number;
  /** The best price on the side traded against, at that moment. */
  best: Price;
}

export interface Venue {
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  /** Begin the market's life; quotes change only between start and stop. */
  start(): void;
  stop(): Promise<void>;
  state(now: number): VenueState;
  phase(now: number): SessionPhase;
  instrument(code: string): Instrument | undefined;
  quote(row: number): Quote;
  depth(row: number): Depth;
  /** Rows of the first `size` tradable instruments of a board (null: all), best first. */
  rank(by: Ranking, board: Board | null, size: number): number[];
  /** Bars oldest first as flat CANDLE_FIELDS, ending before `before` (null: with the bar now forming); off the event loop. */
  candles(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<{ bars: number[]; more: boolean }>;
  /** Whether the feed has spoken lately enough to trade on. */
  fresh(now: number): boolean;
  /** What the book would give this order now; changes nothing. */
  plan(want: Want): Execution[];
  /** Take planned executions out of the displayed book until its next change. */
  consume(want: Want, executions: readonly Execution[]): void;
  /** Told after each burst of changes, with the changed rows (each once). Returns how to stop listening. */
  onChange(listener: (rows: readonly number[]) => void): () => void;
  onPhase(listener: (phase: SessionPhase, endsAt: number | null) => void): () => void;
}
