/** The signals of the battery: a score for each stock and session, known before it enters, and the prices it enters and leaves at. */
import type { Panel, Stock } from "./panel.ts";
import { mean } from "./statistics.ts";

type Price = (stock: Stock, session: number) => number;

export interface Signal {
  name: string;
  /** Sessions it needs before the first one, and sessions it holds. */
  warmUp: number;
  days: number;
  /** Above zero to buy, below to sell short; the further the sooner. Null or zero for nothing. */
  score: (stock: Stock, session: number) => number | null;
  enter: Price;
  exit: Price;
}

const open: Price = ({ days }, session) => days[session]?.open ?? 0;
const close: Price = ({ days }, session) => days[session]?.close ?? 0;
const closeAfter =
  (held: number): Price =>
  (stock, session) =>
    close(stock, session + held - 1);
const at =
  (mark: number): Price =>
  ({ marks }, session) =>
    marks[session]?.[mark] ?? 0;

/** The sum of log returns over the sessions before one. */
function past({ days }: Stock, session: number, count: number): number {
  let sum = 0;
  for (let nth = Math.max(0, session - count); nth < session; nth += 1)
    sum += Math.log((days[nth]?.close ?? 1) / (days[nth]?.reference ?? 1));
  return sum;
}

const both = (name: [follow: string, fade: string], signal: Omit<Signal, "name">): Signal[] => [
  { ...signal, name: name[0] },
  { ...signal, name: name[1], score: (stock, session) => -(signal.score(stock, session) ?? 0) },
];

/** A value of the whole market or of an industry by session, computed once. */
function byGroup(panel: Panel, groupOf: (stock: Stock) => string, valueOf: (stock: Stock, session: number) => number): Signal["score"] {
  const groups = Map.groupBy(panel.stocks, groupOf);
  const known = new Map<string, number>();
  return (stock, session) => {
    const key = `${groupOf(stock)} ${session}`;
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = mean((groups.get(groupOf(stock)) ?? []).map((one) => valueOf(one, session)))));
    return value;
  };
}

const usualVolume = ({ days }: Stock, session: number): number => mean(days.slice(session - 20, session).map(({ volume }) => volume));

/** How close a price is above (or below) a round number: between 0 and 1. */
function roundness({ days }: Stock, session: number): number {
  const price = days[session - 1]?.close ?? 0;
  const step = 10 ** Math.floor(Math.log10(price || 1));
  const place = (price % step) / step;
  return place < 0.04 ? 1 - place : place > 0.96 ? -place : 0;
}

/** Strategies on day bars. */
export function daySignals(panel: Panel): Signal[] {
  const today = { warmUp: 61, days: 1, enter: open, exit: close };
  const looks = [1, 5, 20, 60].flatMap((count) => {
    const days = Math.min(20, count);
    return both([`momentum of ${count}`, `reversal of ${count}`], {
      ...today,
      days,
      exit: closeAfter(days),
      score: (stock, session) => past(stock, session, count),
    });
  });
  const market = byGroup(
    panel,
    () => "all",
    (stock, session) => past(stock, session, 1),
  );
  const sector = byGroup(
    panel,
    ({ category }) => category,
    (stock, session) => past(stock, session, 1),
  );
  const spread = byGroup(
    panel,
    ({ category }) => category,
    (stock, session) => past(stock, session, 20),
  );
  const closedAt =
    (limit: "up" | "down"): Signal["score"] =>
    ({ days }, session) =>
      days[session - 1]?.close === days[session - 1]?.[limit] ? 1 : null;
  const shock: Signal["score"] = (stock, session) =>
    (stock.days[session - 1]?.volume ?? 0) > 3 * usualVolume(stock, session - 1) ? past(stock, session, 1) : null;
  const gap: Signal["score"] = ({ days }, session) => Math.log((days[session]?.open ?? 1) / (days[session]?.reference ?? 1));
  const lag =
    (of: Signal["score"]): Signal["score"] =>
    (stock, session) =>
      (of(stock, session) ?? 0) - past(stock, session, 1);
  return [
    ...looks,
    ...both(["follow the gap", "fade the gap"], { ...today, score: gap }),
    ...both(["follow the market's day", "fade the market's day"], { ...today, score: market }),
    ...both(["lag behind the sector", "lead of the sector"], { ...today, score: lag(sector) }),
    ...both(["pairs: lag of 20", "pairs: lead of 20"], {
      ...today,
      days: 5,
      exit: closeAfter(5),
      score: (stock, session) => (spread(stock, session) ?? 0) - past(stock, session, 20),
    }),
    ...both(["after limit-up", "against limit-up"], { ...today, score: closedAt("up") }),
    ...both(["rebound after limit-down", "after limit-down"], { ...today, score: closedAt("down") }),
    ...both(["follow a volume shock", "fade a volume shock"], { ...today, score: shock }),
    ...both(["above round numbers", "below round numbers"], { ...today, score: roundness }),
    ...[1, 5].map((weekday): Signal => ({
      ...today,
      name: weekday === 1 ? "on Mondays" : "on Fridays",
      score: (_, session) => (panel.weekdays[session] === weekday ? 1 : null),
    })),
  ];
}

/** Strategies inside a day, on prices at the borders of minutes; they enter one minute after what they saw. */
export function sessionSignals({ continuous, minutes }: Panel): Signal[] {
  const place = (part: number): number => Math.floor(part * continuous);
  const between =
    (from: number, to: number): Signal["score"] =>
    (stock, session) =>
      Math.log(at(to)(stock, session) / at(from)(stock, session));
  const window = (name: string, seen: [from: number, to: number], until: Price): Signal[] =>
    both([`follow ${name}`, `fade ${name}`], {
      warmUp: 1,
      days: 1,
      score: between(...seen),
      enter: at(seen[1] + 1),
      exit: until,
    });
  const lastFive = continuous - 6;
  const extreme: Signal["score"] = ({ marks }, session) => {
    const seen = marks[session]?.subarray(0, place(0.22) + 1) ?? new Float32Array(1);
    const last = seen[seen.length - 1] ?? 0;
    return last >= Math.max(...seen) ? 1 : last <= Math.min(...seen) ? -1 : null;
  };
  return [
    ...window("the first minute", [0, 1], close),
    ...window("the first 5 minutes", [0, 5], close),
    ...window("the first hour", [0, place(0.22)], close),
    ...window("the morning", [0, place(0.5)], close),
    ...window("5 minutes at noon", [place(0.5) - 5, place(0.5)], at(place(0.5) + 6)),
    ...window("the last half hour before the auction", [place(0.88), lastFive], at(minutes)),
    ...window("the day into the close", [0, lastFive], at(minutes)),
    ...both(["with the first hour's extreme", "against the first hour's extreme"], {
      warmUp: 1,
      days: 1,
      score: extreme,
      enter: at(place(0.22) + 1),
      exit: close,
    }),
  ];
}
