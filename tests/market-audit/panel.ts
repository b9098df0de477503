/** The days of a sample of stocks of the simulated market, and their prices minute by minute, as the venue's own bars tell them. */
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Day } from "#server/venue/simulator/daily-process.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";

interface PanelOptions {
  seed: number;
  hours: Hours;
  names: number;
  days: number;
  /** Minute prices cost most of the time; without them the strategies inside a day do not run. */
  minutes: boolean;
}

/** What strategies may know of a day. */
export type PanelDay = Omit<Day, "base" | "moves" | "opening" | "watch">;

export interface Stock {
  category: string;
  board: string;
  days: readonly PanelDay[];
  /** Per session the prices at the borders of its minutes; empty where they were not asked for. */
  marks: readonly Float32Array[];
}

export interface Panel {
  stocks: readonly Stock[];
  /** Per session the level of an index of the largest companies at the borders of its minutes; empty where they were not asked for. */
  index: readonly Float64Array[];
  sessions: number;
  /** Minutes of continuous trading, after which only the closing auction trades, if there is one. */
  continuous: number;
  minutes: number;
  /** Per session the day of the week, 0 for Sunday. */
  weekdays: readonly number[];
}

/** Sessions after the anchor day before the first one measured: the past before it leads to known prices. */
const LEAD = 10;
const DAYS_A_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** So many companies are most of the index, and all whose ticks show in it. */
const LARGEST = 30;

/** The market value of the largest companies of the listed board at the borders of every minute, session by session. */
function readIndex({ models, referenceData, calendar, sessionProfile }: SeededMarket, from: number, days: number): Float64Array[] {
  const listed = referenceData.listings.filter(({ instrument }) => instrument.kind === "stock" && instrument.board === "listed");
  const largest = listed
    .filter(({ instrument }) => instrument.listedDay === 0)
    .toSorted((a, b) => b.anchor * b.instrument.issuedThousands - a.anchor * a.instrument.issuedThousands)
    .slice(0, LARGEST)
    .flatMap(({ instrument: { row, issuedThousands } }) => {
      const model = models[row];
      return model ? [{ model, issuedThousands, reader: new DailyProcessReader(model, from) }] : [];
    });
  const traded = new Int32Array(calendar.minutes + 1);
  const buffer = new Float64Array(calendar.minutes + 1);
  return Array.from({ length: days }, () => {
    const level = new Float64Array(calendar.minutes + 1);
    for (const { model, issuedThousands, reader } of largest) {
      const day = reader.next();
      new Path(model, day, sessionProfile(day.session)).tape(buffer, traded, calendar.minutes);
      for (let mark = 0; mark <= calendar.minutes; mark += 1)
        level[mark] = (level[mark] ?? 0) + (buffer[mark] ?? 0) * issuedThousands * day.shares;
    }
    return level;
  });
}

/** Reads a sample of stocks, spread evenly over the table; ex-dates have another reference than the close before, so returns are from it. */
export function readPanel({ seed, hours, names, days, minutes }: PanelOptions): Panel {
  const market = marketOf(seed, hours);
  const { calendar } = market;
  const from = calendar.anchor + LEAD;
  const rows = market.referenceData.listings.filter(({ instrument }) => instrument.kind === "stock" && instrument.listedDay === 0);
  const every = Math.max(1, Math.floor(rows.length / names));
  const chosen = rows.filter((_, nth) => nth % every === 0).slice(0, names);
  const traded = new Int32Array(calendar.minutes + 1);
  const buffer = new Float64Array(calendar.minutes + 1);
  const sampled = chosen.flatMap(({ instrument: { row, category, board } }) => {
    const model = market.models[row];
    return model
      ? [{ model, category, board, reader: new DailyProcessReader(model, from), days: [] as Day[], marks: [] as Float32Array[] }]
      : [];
  });
  for (let nth = 0; nth < days; nth += 1) {
    for (const one of sampled) {
      const day = one.reader.next();
      one.days.push(day);
      if (!minutes) continue;
      new Path(one.model, day, market.sessionProfile(day.session)).tape(buffer, traded, calendar.minutes);
      // A mark beside no trade is not a price anybody saw.
      for (let mark = 1; mark < calendar.minutes; mark += 1) if (traded[mark - 1] === 0) buffer[mark] = buffer[mark - 1] ?? day.open;
      one.marks.push(Float32Array.from(buffer));
    }
  }
  return {
    stocks: sampled.map(({ category, board, days: own, marks }): Stock => ({ category, board, days: own, marks })),
    index: minutes ? readIndex(market, from, days) : [],
    sessions: days,
    continuous: calendar.continuous,
    minutes: calendar.minutes,
    weekdays: Array.from({ length: days }, (_, nth) => (calendar.dayOf(from + nth) + FIRST_WEEKDAY) % DAYS_A_WEEK),
  };
}
