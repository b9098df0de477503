/** A scripted feed: it lists the instruments a test gives, and emits ticks when the test says so. */
import type { Instrument } from "#contract/instrument.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { openLiveVenue } from "#server/venue/feed/live-venue.ts";
import type { DayTick, Feed, FeedLog, FeedMarket, Latest, Tick } from "#server/venue/feed/port.ts";
import type { Venue } from "#server/venue/venue.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";

/** A log that records its messages and their details for a test. */
export interface RecordingLog extends FeedLog {
  readonly messages: string[];
  readonly details: object[];
}

export function recordingLog(): RecordingLog {
  const messages: string[] = [];
  const details: object[] = [];
  const record = (detail: object, message: string): void => {
    messages.push(message);
    details.push(detail);
  };
  return { messages, details, info: record, warn: record };
}

/** A moment of Monday, 2 March 2026, in Taipei. */
export function taipei(time: string, date = "2026-03-02"): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return taipeiMidnight(Date.parse(date) / 86_400_000) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** A price in price units. */
export const units = (amount: number): number => Math.round(amount * 10_000);

export interface Script {
  venue: Venue;
  /** Sets the market's time and ours, which are equal. */
  set(at: number): void;
  /** Makes the feed emit ticks. */
  emit(...ticks: Tick[]): void;
  /** The rows of each change notification. */
  changes: number[][];
  /** Waits until the venue has sent its next change notification. */
  afterUpdate(): Promise<void>;
}

export interface ScriptOptions {
  at: number;
  instruments?: readonly Instrument[];
  hours?: FeedMarket["hours"];
  latest?: readonly (Latest | null)[];
  days?: Feed["days"];
}

export const TWO: readonly Instrument[] = [fakeInstrument(0, "2330"), fakeInstrument(1, "2317")];

/** Opens a live venue over a scripted feed; the caller stops it. */
export async function openScript({ at, instruments = TWO, hours = "taiwan", latest, days }: ScriptOptions): Promise<Script> {
  let now = at;
  let emitTick: (tick: Tick) => void = () => undefined;
  const categories = [
    { board: "listed" as const, code: "24", zh: "半導體業", zhCn: "半导体业", en: "Semiconductor", count: instruments.length },
  ];
  const feed: Feed = {
    patienceMs: 10_000,
    speed: 1,
    open: async () => ({
      universe: "script",
      hours,
      simulated: false,
      instruments,
      categories,
      latest: latest ?? instruments.map(() => null),
    }),
    clock: (moment) => moment,
    start: (listener) => {
      emitTick = listener;
    },
    stop: async () => undefined,
    ...(days && { days }),
  };
  const venue = await openLiveVenue(feed, { log: recordingLog(), now: () => now });
  const changes: number[][] = [];
  venue.onChange((rows) => void changes.push([...rows]));
  venue.start();
  return {
    venue,
    changes,
    set: (moment) => {
      now = moment;
    },
    emit: (...ticks) => {
      for (const tick of ticks) emitTick(tick);
    },
    afterUpdate: () => new Promise((done) => setTimeout(done, 120)),
  };
}

const UNKNOWN_DAY: Omit<DayTick, "kind" | "code" | "at"> = {
  reference: null,
  open: null,
  high: null,
  low: null,
  last: null,
  volume: null,
  turnover: null,
};

/** A day tick of 2330 by default, in price units. */
export const day = (at: number, known: Partial<typeof UNKNOWN_DAY>, code = "2330"): Tick => ({
  kind: "day",
  code,
  at,
  ...UNKNOWN_DAY,
  ...known,
});
/** A trade, its price in currency units. */
export const trade = (at: number, price: number, volume: number, side: 1 | 0 | -1 | null = null, code = "2330"): Tick => ({
  kind: "trade",
  code,
  at,
  price: units(price),
  volume,
  side,
});
/** A book, its prices in currency units. */
export const book = (
  at: number,
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
  trial = false,
  code = "2330",
): Tick => {
  const levels = (side: typeof bids): [number, number][] => side.map(([price, lots]) => [units(price), lots]);
  return { kind: "book", code, at, bids: levels(bids), asks: levels(asks), trial };
};
