/** Records an index at a few moments of each session, beside what options on it are priced by then. */
import { USUAL_SMILE, forwardOf } from "#contract/option-price.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { feeDayOf } from "#server/venue/calendar/trading-calendar.ts";
import { lastTradeAt } from "#server/trading/futures/contracts.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import { GAP_PART } from "#server/venue/simulator/component.ts";
import type { DailyProcess, Day } from "#server/venue/simulator/daily-process.ts";
import { SEGMENTS, clockOf } from "#server/venue/simulator/day-clock.ts";
import { logAtMark, shapeOf } from "#server/venue/simulator/day-shape.ts";
import { basketsOf, constituentsOf, levelOf } from "#server/venue/simulator/index-basket.ts";
import { OptionOutlooks } from "#server/venue/simulator/option-outlook.ts";
import { marketOf, processAt } from "#server/venue/simulator/seeded-market.ts";
import type { OptionOutlook } from "#server/venue/venue.ts";

/** How options are priced: by what is expected, or by one volatility for all times. */
export type Pricing = "expected" | "constant";

interface RecordOptions {
  seed: number;
  hours: Hours;
  /** The largest companies, which are the index. */
  names: number;
  sessions: number;
  /** Sessions from one expiry to the next. */
  month: number;
}

/** The moments of a session: nodes of its path after the first and before the last quarter of an hour. */
export const MOMENTS = [1, 4, 7] as const;

export interface VolatilityRecord {
  sessions: number;
  month: number;
  /** By session, the index in price units at its open, at each moment, and at its close. */
  levels: readonly (readonly number[])[];
  /** By session, the settlement price in points; null where nothing expires. */
  settled: readonly (number | null)[];
  /** What an option that expires in one session is priced by in another, at a moment of it. */
  priced(pricing: Pricing, session: number, moment: number, expiry: number): OptionOutlook & { forward: number };
}

/** The largest listed companies, by what they are worth on the anchor day, and the index. */
function codesOf(names: number): string[] {
  const companies = listReferenceData().listings.filter(
    ({ instrument: { kind, board, listedDay } }) => kind === "stock" && board === "listed" && listedDay === 0,
  );
  const valueOf = ({ anchor, instrument }: (typeof companies)[number]): number => anchor * instrument.issuedThousands;
  const largest = companies.toSorted((a, b) => valueOf(b) - valueOf(a)).slice(0, names);
  return [...largest.map(({ instrument }) => instrument.code), BOARD_INDICES[0]];
}

/** Sessions after the anchor day: the past before it leads to known prices. */
const LEAD = 30;

export function recordVolatility({ seed, hours, names, sessions, month }: RecordOptions): VolatilityRecord {
  const market = marketOf(seed, hours, codesOf(names));
  const { calendar, models, referenceData } = market;
  const clock = clockOf(calendar);
  const from = calendar.anchor + LEAD;
  const index = referenceData.listings.findIndex(({ instrument }) => instrument.code === BOARD_INDICES[0]);
  const baskets = basketsOf(market);
  const basket = baskets.indices.find(({ row }) => row === index);
  if (!basket) throw new Error("no index");
  const processes = new Map<number, DailyProcess>();
  for (const row of constituentsOf(baskets, index)) {
    const model = models[row];
    if (model) processes.set(row, processAt(model, from - 1));
  }
  const state = { market, session: from - 1, path: (row: number) => pathOf(row) };
  const pathOf = (row: number): ReturnType<ConstructorParameters<typeof OptionOutlooks>[0]["path"]> => {
    const process = processes.get(row);
    return process ? ({ day: { base: process.base, shares: process.shares } as Day } as ReturnType<typeof pathOf>) : null;
  };
  const outlooks = new OptionOutlooks(state);
  const expected = new Map<string, OptionOutlook>();
  const averagedFrom = (session: number): number =>
    lastTradeAt({ opensAt: calendar.opensAt(session), closesAt: calendar.closesAt(session) });
  const atOf = (session: number, moment: number): number =>
    calendar.opensAt(session) + (clock.nodes[MOMENTS[moment] ?? 0] ?? 0) * calendar.minuteMs;
  const valueAt = (placeOf: (row: number) => number): number => {
    let sum = 0;
    for (const [row, process] of processes) sum += process.base * process.shares * (baskets.shares[row] ?? 0) * Math.exp(placeOf(row));
    return levelOf(basket, sum);
  };
  const [levels, settled]: [number[][], (number | null)[]] = [[], []];
  for (let nth = 0; nth < sessions; nth += 1) {
    for (const process of processes.values()) process.step();
    const session = from + nth;
    state.session = session;
    const shapes = new Map([...processes].map(([row, { moves }]) => [row, { moves, shape: shapeOf(moves, keyOf(models[row]), clock) }]));
    const node = (at: number): number => valueAt((row) => shapes.get(row)?.shape.at[at] ?? 0);
    levels.push([node(0), ...MOMENTS.map((at) => node(at)), node(SEGMENTS + 1)]);
    settled.push(nth % month === month - 1 ? settlementOf(session) : null);
    for (let moment = 0; moment < MOMENTS.length; moment += 1)
      for (let expiry = nth; expiry < sessions; expiry += 1) {
        if (expiry % month !== month - 1 || expiry >= nth + 2 * month) continue;
        const last = from + expiry;
        const outlook = outlooks.now(index, atOf(session, moment), { opensAt: calendar.opensAt(last), averagedFrom: averagedFrom(last) });
        if (outlook) expected.set(`${nth} ${moment} ${expiry}`, outlook);
      }
    function settlementOf(day: number): number {
      const first = Math.round((averagedFrom(day) - calendar.opensAt(day)) / calendar.minuteMs);
      let sum = 0;
      for (let mark = first + 1; mark <= calendar.minutes; mark += 1)
        sum += valueAt((row) => {
          const one = shapes.get(row);
          if (!one) return 0;
          return mark === calendar.minutes
            ? (one.shape.at[SEGMENTS + 1] ?? 0)
            : logAtMark(one.moves, keyOf(models[row]), clock, one.shape, Math.min(mark, calendar.continuous));
        });
      return sum / (calendar.minutes - first) / 10_000;
    }
  }
  /** As before: trading days by the clock, of which the night before is a part. */
  const plainDays = (nth: number, moment: number, expiry: number): number => {
    const part = (clock.nodes[MOMENTS[moment] ?? 0] ?? 0) / calendar.minutes;
    const averaged = ((calendar.closesAt(0 + from) - averagedFrom(from)) / (calendar.closesAt(from) - calendar.opensAt(from))) * (2 / 3);
    return (hours === "compressed" ? 0.55 : 1) * ((1 - GAP_PART) * (1 - part) + expiry - nth - (1 - GAP_PART) * averaged);
  };
  return {
    sessions,
    month,
    levels,
    settled,
    priced(pricing, nth, moment, expiry) {
      const outlook =
        pricing === "expected" ? expected.get(`${nth} ${moment} ${expiry}`) : { days: plainDays(nth, moment, expiry), smile: USUAL_SMILE };
      if (!outlook) throw new Error(`no price of ${expiry} in ${nth}`);
      const daysLeft = feeDayOf(calendar, from + expiry) - feeDayOf(calendar, from + nth);
      return { ...outlook, forward: forwardOf(levels[nth]?.[moment + 1] ?? 0, daysLeft) };
    },
  };
}

function keyOf(model: ReturnType<typeof marketOf>["models"][number] | undefined) {
  if (!model) throw new Error("an index has no key");
  return model.parameters.key;
}
