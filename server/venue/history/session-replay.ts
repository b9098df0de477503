/** A review: the whole market as it stood at a moment of one of its latest sessions, replayed from its minutes. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { pushQuote } from "#contract/quote.ts";
import { basketsOf, constituentsOf, gather } from "#server/venue/simulator/index-basket.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import { contributionOf } from "#server/venue/market-data/index-contribution.ts";
import type { Day } from "#server/venue/simulator/daily-process.ts";
import { heatOf } from "#server/venue/market-data/sector-heat.ts";
import type { History } from "./bar-history.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import type { Market } from "#server/venue/simulator/seeded-market.ts";
import type { Review } from "#server/venue/venue.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-snapshot.ts";
import type { MarketSnapshot } from "#server/venue/market-data/market-snapshot.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";

/** An ordinary day is the mean of this many before it; fewer than these do not tell. */
const ORDINARY_SESSIONS = 20;
const LEAST_SESSIONS = 5;
/** Rows replayed at a stretch. */
const STRETCH = 32;

/** Lots of an ordinary day before a session; 0 where there were too few to tell. */
function ordinaryLots(history: History, row: number, session: number, listed: number): number {
  const from = Math.max(1, listed, session - ORDINARY_SESSIONS);
  if (session - from < LEAST_SESSIONS) return 0;
  let lots = 0;
  for (let nth = from; nth < session; nth += 1) lots += history.dailyBars.day(row, nth).volume;
  return Math.round(lots / (session - from));
}

/** Live through one instrument's minutes before `until`. */
function replay(path: Path, until: number, table: Columns, row: number, marks: Float64Array, traded: Int32Array): void {
  const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  let lots = 0;
  let turnover = 0;
  path.tape(marks, traded, until);
  for (let minute = 0; minute < until; minute += 1) {
    const volume = traded[minute] ?? 0;
    if (volume === 0) continue;
    path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, volume, bar);
    if (lots === 0) table.open[row] = bar.open;
    table.stretch(row, bar.high);
    table.stretch(row, bar.low);
    table.last[row] = bar.close;
    lots += volume;
    turnover += (volume * (bar.open + bar.high + bar.low + bar.close)) / 4;
  }
  table.volume[row] = lots;
  table.turnover[row] = turnover;
}

function quotesOf({ instruments, columns }: MarketSnapshot, at: number): number[] {
  const quotes: number[] = [];
  for (const { row, lotShares } of instruments) {
    const of = (column: ArrayLike<number>): number => column[row] ?? 0;
    pushQuote(quotes, {
      row,
      seq: 0,
      at,
      last: of(columns.last),
      open: of(columns.open),
      high: of(columns.high),
      low: of(columns.low),
      reference: of(columns.reference),
      volume: of(columns.volume),
      turnover: Math.round((of(columns.turnover) * lotShares) / PRICE_ONE),
      bid: 0,
      ask: 0,
    });
  }
  return quotes;
}

/**
 * Review the session that opened at `opensAt` as it stood at `until` (past its close: as it ended). A second's work at
 * most, so it is done in stretches: drive it until it returns.
 */
export function* reviewOf(market: Market, history: History, opensAt: number, until: number): Generator<undefined, Review> {
  const { calendar, referenceData, models } = market;
  const { session } = calendar.at(opensAt);
  const closesAt = calendar.closesAt(session);
  const minutes = until >= closesAt ? calendar.minutes : Math.max(0, Math.ceil((until - opensAt) / calendar.minuteMs));
  const instruments = referenceData.listings.map(({ instrument }) => instrument);
  const table = new Columns(instruments.length);
  const days: (Day | null)[] = [];
  const ordinary: number[] = [];
  const actions: Review["actions"] = [];
  const marks = floats(calendar.minutes + 1);
  const traded = new Int32Array(calendar.minutes + 1);
  for (let row = 0; row < models.length; row += 1) {
    const who = models[row];
    days[row] = null;
    ordinary[row] = 0;
    if (row % STRETCH === 0) yield;
    if (!who || session < who.listed) continue;
    const day = history.dailyBars.day(row, session);
    const action = history.actionIn(row, session);
    days[row] = day;
    ordinary[row] = ordinaryLots(history, row, session, who.listed);
    if (action) actions.push({ row, action });
    table.reference[row] = day.reference;
    replay(new Path(who, day, market.shape(session)), minutes, table, row, marks, traded);
  }
  const snapshot: MarketSnapshot = {
    instruments,
    categories: referenceData.categories,
    columns: table,
    previous: (row) => days[row]?.previous ?? 0,
    limits: (row) => days[row] ?? NO_LIMITS,
  };
  const baskets = basketsOf(market);
  const turnovers = floats(baskets.count);
  for (let row = 0; row < table.count; row += 1) {
    const group = baskets.groupOf[row] ?? -1;
    if (group >= 0) turnovers[group] = (turnovers[group] ?? 0) + (table.turnover[row] ?? 0);
  }
  const references = history.indices.references(session);
  yield;
  history.indices.until(session, minutes).forEach(({ open, high, low, close, volume }, nth) => {
    const basket = baskets.indices[nth];
    if (!basket) return;
    const { row } = basket;
    table.reference[row] = references[nth] ?? 0;
    if (volume === 0) return;
    table.open[row] = open;
    table.high[row] = high;
    table.low[row] = low;
    table.last[row] = close;
    table.volume[row] = volume;
    table.turnover[row] = gather(basket, turnovers);
  });
  yield;
  const contributions = instruments
    .filter(({ code }) => BOARD_INDICES.some((index) => index === code))
    .map(({ row }) => contributionOf(snapshot, row, constituentsOf(baskets, row)));
  return {
    opensAt: calendar.opensAt(session),
    closesAt,
    quotes: quotesOf(snapshot, Math.min(until, closesAt)),
    heat: heatOf(snapshot),
    contributions,
    ordinary,
    actions,
  };
}
