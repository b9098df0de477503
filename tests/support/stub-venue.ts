/** A venue of identical instruments whose market changes only when a test says so. */
import type { Instrument } from "#contract/instrument.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { Code } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import { TAPE_STRIDE } from "#contract/tape.ts";
import { limitsOf } from "#contract/tick.ts";
import { monthsOf } from "#server/venue/calendar/months.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { NO_BLOCKS } from "#server/venue/block-trading.ts";
import { NO_LENDING } from "#server/venue/lending-market.ts";
import type { Issue } from "#server/venue/issue.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface StubVenue extends Venue {
  /** Gives rows a new last price and notifies listeners. */
  move(rows: readonly number[]): void;
  /** Trades some lots at the last price: adds volume and a trade on the tape, and notifies listeners. */
  trade(row: number, lots: number): void;
  /** Starts another day: the tapes are empty and trades are numbered from 1 again. */
  renew(): void;
  /** Rows that the rankings return, best first. */
  ranked: number[];
  /** The sector heat that is returned. */
  heats: number[];
  /** The contribution to the index at row 0. */
  moved: Contribution;
  /** Announces a session phase. */
  announce(phase: "open" | "closed"): void;
  /** Appends the instrument of a new issue. */
  grow(): void;
  /** Number of listeners. */
  listening(): number;
}

const instrumentAt = (row: number): Instrument => ({
  row,
  code: Code.parse(String(1000 + row)),
  zh: `第${row}號`,
  zhCn: `第${row}号`,
  en: `Number ${row}`,
  kind: "stock",
  board: "listed",
  category: "24",
  decimals: 2,
  lotShares: 1000,
  issuedThousands: 1000,
  tradable: true,
  shortable: true,
  dayTradable: true,
  marginable: true,
  watch: "none",
  fictitious: true,
  sellLockSeconds: 0,
  listedDay: 0,
  limitPercent: 10,
  bonds: false,
  tradesFrom: 0,
  freeUntil: 0,
});

const quoteOf = (row: number): Quote => ({
  row,
  seq: 1,
  at: 1_700_000_000_000,
  last: 10_850_000,
  open: 10_800_000,
  high: 10_900_000,
  low: 10_700_000,
  reference: 10_800_000,
  volume: 12_345,
  turnover: 13_394_325_000,
  bid: 10_845_000,
  ask: 10_850_000,
});

/** Makes a venue of `size` identical instruments. */
export function stubVenue(size: number): StubVenue {
  const instruments = Array.from({ length: size }, (_, row) => instrumentAt(row));
  const quotes = instruments.map(({ row }) => quoteOf(row));
  const changed = new Set<(rows: readonly number[]) => void>();
  const phased = new Set<(phase: "open" | "closed", endsAt: number | null) => void>();
  const issued = new Set<Parameters<Venue["onIssue"]>[0]>();
  const quote = (row: number): Quote => quotes[row] ?? quoteOf(row);
  const tapes = instruments.map((): number[] => []);
  const venue: StubVenue = {
    instruments,
    categories: [],
    ranked: [0, 1, 2],
    pastCalls: () => [],
    bookClosures: () => [],
    heats: [0, 125, 2, 1, 0, 0, 0, 1_000_000],
    moved: { row: 0, up: 2, down: 1, flat: 0, limitUp: 0, limitDown: 0, leaders: [[1, 2_500]], laggards: [[2, -300]] },
    blocks: NO_BLOCKS,
    lending: NO_LENDING,
    feeDay: () => 0,
    previousClose: (row) => quote(row).reference,
    exDividend: () => 0,
    exDividends: async () => [],
    months: monthsOf(calendarOf("taiwan")),
    start: () => undefined,
    watched: () => undefined,
    stop: async () => undefined,
    state: (now) => ({
      universe: "stub",
      phase: "open",
      phaseEndsAt: null,
      opensAt: epochMs(now),
      closesAt: epochMs(now),
      simulated: true,
    }),
    phase: () => "open",
    instrument: (code) => instruments.find((instrument) => instrument.code === code),
    quote,
    limits: (row, now) => limitsOf(instrumentAt(row), quote(row).reference, now),
    depth: (row) => {
      const { seq, at, bid, ask, volume } = quote(row);
      return {
        row,
        seq,
        at: epochMs(at),
        bids: [[bid, 5]],
        asks: [[ask, 7]],
        atBid: 0,
        atAsk: volume,
        trial: null,
        pausedUntil: null,
        isDelayedOpen: false,
        isDelayedClose: false,
        ordersFrom: null,
        callsEveryMs: null,
      };
    },
    tape: (row, after, limit) => (tapes[row] ?? []).slice(after * TAPE_STRIDE).slice(-limit * TAPE_STRIDE),
    publicQuote: quote,
    boardTape: (row, after, limit) => venue.tape(row, after, limit),
    publicTape: (row, after, limit) => venue.tape(row, after, limit),
    joinCalls: () => undefined,
    report: () => undefined,
    restore: () => undefined,
    rank: ({ size: count }) => venue.ranked.slice(0, count),
    heat: () => venue.heats,
    contribution: (row) => (row === 0 ? venue.moved : null),
    actions: async () => [],
    profile: async () => null,
    investors: async () => null,
    candles: async () => ({ bars: [], more: false }),
    replaySession: async () => null,
    fresh: () => true,
    lotsAt: () => 0,
    plan: () => [],
    consume: () => undefined,
    matching: () => "continuous",
    lateClose: () => null,
    callBook: () => null,
    closedAtLimitDown: () => false,
    issues: () => [],
    issue: () => null,
    redemptionPrice: () => null,
    offeringCrowd: () => null,
    increases: () => [],
    issueSessionsLeft: () => null,
    onIssue: (listener) => {
      issued.add(listener);
      return () => void issued.delete(listener);
    },
    onCall: () => () => undefined,
    onChange: (listener) => {
      changed.add(listener);
      return () => void changed.delete(listener);
    },
    onPhase: (listener) => {
      phased.add(listener);
      return () => void phased.delete(listener);
    },
    move(rows) {
      for (const row of rows) {
        const before = quote(row);
        quotes[row] = { ...before, seq: before.seq + 1, at: Date.now(), last: before.last + (before.seq % 2 ? 5_000 : -5_000) };
      }
      for (const listener of changed) listener(rows);
    },
    trade(row, lots) {
      const before = quote(row);
      const { last } = before;
      const tape = tapes[row];
      tape?.push(tape.length / TAPE_STRIDE + 1, Date.now(), last, lots, 1);
      quotes[row] = { ...before, seq: before.seq + 1, at: Date.now(), volume: before.volume + lots };
      for (const listener of changed) listener([row]);
    },
    renew() {
      for (const tape of tapes) tape.length = 0;
    },
    announce(phase) {
      for (const listener of phased) listener(phase, null);
    },
    grow() {
      const row = instruments.length;
      instruments.push(instrumentAt(row));
      quotes.push(quoteOf(row));
      tapes.push([]);
      for (const listener of issued) listener({ row } as Issue, "announced");
    },
    listening: () => changed.size,
  };
  return venue;
}
