/** A feed in the test's hands: it lists what the test says, and speaks when the test makes it. */
import type { Instrument } from "#contract/instrument.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { openLiveVenue } from "#server/venue/feed/live-venue.ts";
import type { DayTick, Feed, FeedLog, Latest, Listing, Tick } from "#server/venue/feed/port.ts";
import type { Venue } from "#server/venue/venue.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";

/** What operators would read, for a test that looks; message by message, with their details. */
export interface KeptLog extends FeedLog {
  readonly messages: string[];
  readonly details: object[];
}

export function keptLog(): KeptLog {
  const messages: string[] = [];
  const details: object[] = [];
  const note = (detail: object, message: string): void => {
    messages.push(message);
    details.push(detail);
  };
  return { messages, details, info: note, warn: note };
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
  /** The market's time and, since the two go alike, ours. */
  set(at: number): void;
  /** Let the feed speak. */
  say(...ticks: Tick[]): void;
  /** Rows told as changed, burst by burst. */
  bursts: number[][];
  /** Let the venue's beat pass. */
  beat(): Promise<void>;
}

export interface ScriptOptions {
  at: number;
  instruments?: readonly Instrument[];
  hours?: Listing["hours"];
  latest?: readonly (Latest | null)[];
  days?: Feed["days"];
}

export const TWO: readonly Instrument[] = [fakeInstrument(0, "2330"), fakeInstrument(1, "2317")];

/** Open a live venue over a feed of a test; stop it when done. */
export async function openScript({ at, instruments = TWO, hours = "taiwan", latest, days }: ScriptOptions): Promise<Script> {
  let now = at;
  let tell: (tick: Tick) => void = () => undefined;
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
      tell = listener;
    },
    stop: async () => undefined,
    ...(days && { days }),
  };
  const venue = await openLiveVenue(feed, { log: keptLog(), now: () => now });
  const bursts: number[][] = [];
  venue.onChange((rows) => void bursts.push([...rows]));
  venue.start();
  return {
    venue,
    bursts,
    set: (moment) => {
      now = moment;
    },
    say: (...ticks) => {
      for (const tick of ticks) tell(tick);
    },
    beat: () => new Promise((done) => setTimeout(done, 120)),
  };
}

const NOTHING: Omit<DayTick, "kind" | "code" | "at"> = {
  reference: null,
  open: null,
  high: null,
  low: null,
  last: null,
  volume: null,
  turnover: null,
};

/** Ticks of 2330 unless said otherwise: where the day stands, in price units. */
export const day = (at: number, known: Partial<typeof NOTHING>, code = "2330"): Tick => ({ kind: "day", code, at, ...NOTHING, ...known });
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
