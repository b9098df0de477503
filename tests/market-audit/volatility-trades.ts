/** What trading volatility earns on options: by straddles, calendars and wings, in all times and in calm and wild ones that anybody can see. */
import { NARROW_SPREAD, pricedLevel } from "#contract/futures-price.ts";
import { greeksOf, optionQuote, payoffOf, volatilityOf } from "#contract/option-price.ts";
import type { OptionRight } from "#contract/option-price.ts";
import { SIGNIFICANT } from "./battery.ts";
import { mean, quantile, variance } from "./statistics.ts";
import { MOMENTS } from "./volatility-record.ts";
import type { Pricing, VolatilityRecord } from "./volatility-record.ts";

/** A lot's fee in points, and the parts of a premium and of a future's value that are taxed. */
const [FEE, PREMIUM_TAX, FUTURE_TAX] = [0.5, 0.001, 0.00002];
const EXERCISE_TAX = 0.00002;

/** A moment of a record. */
interface Moment {
  session: number;
  moment: number;
}

/** Lots of a series: bought where positive. */
interface Leg {
  right: OptionRight;
  strike: number;
  expiry: number;
  lots: number;
}

interface Trade extends Moment {
  legs: readonly Leg[];
  /** Sessions it is held for; null until the first of its expiries. */
  held: number | null;
  hedged: boolean;
}

interface Outcome {
  /** What it gained after all costs, and how far the index was expected to move until the first expiry, in points. */
  gain: number;
  expected: number;
}

interface Place {
  record: VolatilityRecord;
  pricing: Pricing;
}

const pricedAt = ({ record, pricing }: Place, { session, moment }: Moment, { right, strike, expiry }: Leg) => {
  const input = { right, strike, ...record.priced(pricing, session, moment, expiry) };
  const level = pricedLevel(record.levels[session]?.[moment + 1] ?? 0, NARROW_SPREAD);
  const quote = optionQuote(input, level);
  const volatility = volatilityOf(input);
  return { quote, delta: greeksOf(input, volatility).delta };
};

/** The deviation of the index until an expiry, in points. */
function moveUntil(record: VolatilityRecord, { session, moment }: Moment, expiry: number): number {
  const { forward, days, smile } = record.priced("expected", session, moment, expiry);
  return forward * smile.level * Math.sqrt(days / 252);
}

/** What a leg trades at, charges included: what is paid or, negative, received. */
function paidFor(place: Place, at: Moment, leg: Leg, lots: number): number {
  const { bid, ask } = pricedAt(place, at, leg).quote;
  const price = (lots > 0 ? ask : (bid ?? 0)) / 10;
  return lots * price + Math.abs(lots) * (FEE + PREMIUM_TAX * price);
}

const deltaOf = (place: Place, at: Moment, legs: readonly Leg[]): number =>
  legs.reduce((sum, leg) => sum + leg.lots * pricedAt(place, at, leg).delta, 0);

/** What it costs to trade so much of the future, in points. */
const futureCost = ({ record }: Place, { session, moment }: Moment, amount: number): number => {
  const { units, half } = pricedLevel(record.levels[session]?.[moment + 1] ?? 0, NARROW_SPREAD);
  return Math.abs(amount) * (half / 10_000 + (units / 10_000) * FUTURE_TAX);
};

/** What a trade ends with: null where the record ends before. */
function outcomeOf(place: Place, trade: Trade): Outcome | null {
  const { record } = place;
  const { legs, held, hedged } = trade;
  const first = Math.min(...legs.map(({ expiry }) => expiry));
  const until = held === null ? first : trade.session + held;
  if (until >= record.sessions || until > first || (held !== null && until === first && trade.moment === MOMENTS.length - 1)) return null;
  const indexAt = ({ session, moment }: Moment): number => (record.levels[session]?.[moment + 1] ?? 0) / 10_000;
  let gain = legs.reduce((sum, leg) => sum - paidFor(place, trade, leg, leg.lots), 0);
  const expected = moveUntil(record, trade, first);
  let future = 0;
  let last: Moment = trade;
  const rehedge = (at: Moment, to: number): void => {
    gain += future * (indexAt(at) - indexAt(last)) - futureCost(place, at, to - future);
    [future, last] = [to, at];
  };
  if (hedged) rehedge(trade, 0 - deltaOf(place, trade, legs));
  const end: Moment = { session: until, moment: held === null ? MOMENTS.length - 1 : trade.moment };
  for (let session = trade.session + 1; session < until; session += 1) {
    if (!hedged) break;
    const at = { session, moment: trade.moment };
    rehedge(at, 0 - deltaOf(place, at, legs));
  }
  const final = held === null ? record.settled[until] : null;
  if (final === null || final === undefined) {
    if (hedged) rehedge(end, 0);
    for (const leg of legs) gain -= paidFor(place, end, leg, 0 - leg.lots);
  } else {
    gain += future * (final - indexAt(last)) - futureCost(place, end, future);
    for (const leg of legs) {
      const pays = leg.expiry === until ? payoffOf(leg.right, leg.strike, final) : 0;
      gain += leg.lots * pays - (pays > 0 ? Math.abs(leg.lots) * (FEE + final * EXERCISE_TAX) : 0);
      if (leg.expiry !== until) gain -= paidFor(place, end, leg, 0 - leg.lots);
    }
  }
  return { gain, expected };
}

/** Strikes are whole hundreds. */
const near = (price: number): number => Math.round(price / 100) * 100;

type Build = (place: Place, at: Moment, months: readonly number[]) => readonly Leg[];

const straddle =
  (which: number): Build =>
  (place, { session, moment }, months) => {
    const expiry = months[which] ?? 0;
    const strike = near(place.record.priced(place.pricing, session, moment, expiry).forward);
    return (["call", "put"] as const).map((right) => ({ right, strike, expiry, lots: 1 }));
  };

/** A strike some deviations away, of what is expected. */
const away = ({ record }: Place, at: Moment, expiry: number, deviations: number): number =>
  near(record.priced("expected", at.session, at.moment, expiry).forward + deviations * moveUntil(record, at, expiry));

const wings =
  (which: number, deviations: number): Build =>
  (place, at, months) => {
    const expiry = months[which] ?? 0;
    return [
      { right: "call", strike: away(place, at, expiry, deviations), expiry, lots: 1 },
      { right: "put", strike: away(place, at, expiry, 0 - deviations), expiry, lots: 1 },
    ];
  };

/** Bought calls against sold puts. */
const skew =
  (which: number, deviations: number): Build =>
  (place, at, months) =>
    wings(which, deviations)(place, at, months).map((leg) => ({ ...leg, lots: leg.right === "call" ? 1 : -1 }));

/** The near month against the one after it. */
const calendar: Build = (place, at, months) => [
  ...straddle(0)(place, at, months),
  ...straddle(1)(place, at, months).map((leg) => ({ ...leg, lots: -1 })),
];

/** Each with the sessions it is held for, by which its trades are apart, and how it is hedged. */
const STRATEGIES: readonly { name: string; build: Build; held: number | null; hedged: boolean }[] = [
  ...[1, 5, null].flatMap((held) =>
    [false, true].map((hedged) => ({
      name: `straddle, ${held ?? "to expiry"}${held ? " sessions" : ""}${hedged ? ", hedged" : ""}`,
      build: straddle(0),
      held,
      hedged,
    })),
  ),
  { name: "straddle of the next month, 5 sessions, hedged", build: straddle(1), held: 5, hedged: true },
  ...[1, 5].map((held) => ({ name: `near against next month, ${held} sessions, hedged`, build: calendar, held, hedged: true })),
  { name: "wings, 5 sessions, hedged", build: wings(0, 1.5), held: 5, hedged: true },
  { name: "wings, to expiry, hedged", build: wings(0, 1.5), held: null, hedged: true },
  { name: "calls against puts, 5 sessions, hedged", build: skew(0, 1), held: 5, hedged: true },
  { name: "calls against puts, to expiry, hedged", build: skew(0, 1), held: null, hedged: true },
];

/** What of the past is looked at, as anybody sees it: how far the index moved in sessions before, and so far in this one. */
const SEEN: Readonly<Record<string, (record: VolatilityRecord, at: Moment) => number>> = {
  "5 sessions": (record, at) => movedIn(record, at, 5),
  "20 sessions": (record, at) => movedIn(record, at, 20),
  "this session": ({ levels }, { session, moment }) => {
    const own = [levels[session - 1]?.at(-1) ?? 1, ...(levels[session] ?? []).slice(0, moment + 2)];
    return own.slice(1).reduce((sum, level, nth) => sum + Math.log(level / (own[nth] ?? level)) ** 2, 0);
  },
};

function movedIn({ levels }: VolatilityRecord, { session }: Moment, sessions: number): number {
  const path = levels.slice(session - sessions - 1, session).flatMap((own) => own.slice(1));
  return path.slice(1).reduce((sum, level, nth) => sum + Math.log(level / (path[nth] ?? level)) ** 2, 0);
}

const WARM_UP = 21;
/** A third of the moments is calm, a third wild. */
const PART = 1 / 3;

export interface VolatilityFinding {
  name: string;
  trades: number;
  /** What buyers and sellers make after costs, in parts of how far the index is expected to move, and how many standard errors that is from nothing. */
  bought: number;
  boughtT: number;
  sold: number;
  soldT: number;
}

/** Whether either side makes money by more than chance. */
export const earns = ({ boughtT, soldT }: VolatilityFinding): boolean => Math.max(boughtT, soldT) >= SIGNIFICANT;

/** When a strategy trades: as often as its trades do not overlap, at another moment of the session each time. */
function momentsOf({ sessions, month }: VolatilityRecord, held: number | null): Moment[] {
  const moments: Moment[] = [];
  const lengths = [month - 1, 5, 1];
  for (let session = WARM_UP, nth = 0; session < sessions; session += held ?? 1) {
    const left = month - 1 - (session % month);
    if (held === null && !lengths.includes(left)) continue;
    if (held !== null && left < held) continue;
    moments.push({ session, moment: nth % MOMENTS.length });
    nth += 1;
  }
  return moments;
}

const monthsFrom = ({ month }: VolatilityRecord, session: number): number[] => {
  const first = session - (session % month) + month - 1;
  return [first, first + month];
};

/** What every strategy earns over some records, in all times and in those that look calm or wild. */
export function volatilityFindings(records: readonly VolatilityRecord[], pricing: Pricing): VolatilityFinding[] {
  return STRATEGIES.flatMap(({ name, build, held, hedged }) => {
    const done = records.flatMap((record) =>
      momentsOf(record, held).flatMap((at) => {
        const months = monthsFrom(record, at.session);
        if ((months[1] ?? 0) >= record.sessions) return [];
        const place = { record, pricing };
        const legs = build(place, at, months);
        const bought = outcomeOf(place, { ...at, legs, held, hedged });
        const sold = outcomeOf(place, { ...at, legs: legs.map((leg) => ({ ...leg, lots: 0 - leg.lots })), held, hedged });
        if (!bought || !sold || bought.expected === 0) return [];
        const seen = Object.values(SEEN).map((look) => look(record, at));
        return [{ bought: bought.gain / bought.expected, sold: sold.gain / sold.expected, seen }];
      }),
    );
    // Who sold wings a few times may not have lost yet: the deviation is at least that of all trades.
    const least = { bought: variance(done.map((one) => one.bought)), sold: variance(done.map((one) => one.sold)) };
    const findingOf = (when: string, some: typeof done): VolatilityFinding => {
      const error = (side: "bought" | "sold"): number => {
        const own = variance(some.map((one) => one[side]));
        return Math.sqrt(Math.max(least[side], own) / Math.max(1, some.length - 1)) || 1;
      };
      const [bought, sold] = [mean(some.map((one) => one.bought)), mean(some.map((one) => one.sold))];
      const [boughtT, soldT] = [bought / error("bought"), sold / error("sold")];
      return { name: `${name}${when}`, trades: some.length, bought, boughtT, sold, soldT };
    };
    const conditional = Object.keys(SEEN).flatMap((look, which) => {
      const all = done.map(({ seen }) => seen[which] ?? 0);
      const [low, high] = [quantile(all, PART), quantile(all, 1 - PART)];
      return [
        findingOf(
          `, calm ${look}`,
          done.filter(({ seen }) => (seen[which] ?? 0) <= low),
        ),
        findingOf(
          `, wild ${look}`,
          done.filter(({ seen }) => (seen[which] ?? 0) >= high),
        ),
      ];
    });
    return [findingOf("", done), ...conditional];
  });
}
