/** Replays the whole market up to a moment of one of its latest sessions, from the instruments' minutes. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { joinSpans, withMembers } from "#server/venue/matching/member-trade.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import { lateCloseAt } from "#server/venue/simulator/delayed-close.ts";
import { withFills } from "#server/venue/simulator/moved-path.ts";
import type { TradedPath } from "#server/venue/simulator/moved-path.ts";
import type { MemberSession } from "#server/venue/simulator/public-market.ts";
import { clockOf, tradeTimes } from "#server/venue/simulator/trade-times.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { basketsOf, constituentsOf, sumGroups } from "#server/venue/simulator/index-basket.ts";
import type { Baskets } from "#server/venue/simulator/index-basket.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import { contributionOf } from "#server/venue/market-data/index-contribution.ts";
import { isTradedIn } from "#server/venue/simulator/daily-process.ts";
import type { Day } from "#server/venue/simulator/daily-process.ts";
import { heatOf } from "#server/venue/market-data/sector-heat.ts";
import type { History } from "./bar-history.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { SessionReplay } from "#server/venue/venue.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-columns.ts";
import type { MarketColumns } from "#server/venue/market-data/market-columns.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";

/** An average day is the mean of this many sessions before it; fewer than `MIN_SESSIONS` give no average. */
const AVERAGE_SESSIONS = 20;
const MIN_SESSIONS = 5;
/** Rows replayed per step. */
const ROWS_PER_STEP = 32;

/** Lots of an average day before a session; 0 where there were too few sessions. */
function averageLots(history: History, row: number, session: number, listed: number): number {
  const from = Math.max(1, listed, session - AVERAGE_SESSIONS);
  if (session - from < MIN_SESSIONS) return 0;
  let lots = 0;
  for (let nth = from; nth < session; nth += 1) lots += history.dailyBars.day(row, nth).volume;
  return Math.round(lots / (session - from));
}

/** Adds members' trades to a row of the table; `replayed`: the minutes of it that were replayed. */
function addMembers(
  table: Columns,
  row: number,
  members: MemberPast["minutes"],
  path: TradedPath,
  calendar: Calendar,
  replayed: number,
): void {
  const spans = members.filter(([, minute]) => minute < replayed).map(([, , span]) => span);
  const [first, ...others] = spans;
  if (!first) return;
  const span = others.reduce(joinSpans, first);
  const of = (column: Float64Array): number => column[row] ?? 0;
  const { open, high, low, last, volume, turnover } = table;
  const own = { open: of(open), high: of(high), low: of(low), close: of(last), volume: of(volume) };
  const day = withMembers(own.volume > 0 ? own : null, tradeTimes(path, clockOf(calendar, path.day.session), 0, replayed), span);
  [open[row], high[row], low[row], last[row]] = [day.open, day.high, day.low, day.close];
  [volume[row], turnover[row]] = [day.volume, of(turnover) + span.turnover];
}

/** How many of so many minutes of a path are over at a moment: the last one of a close that is put off comes later. */
function overOf({ day, closing }: TradedPath, calendar: Calendar, minutes: number, until: number): number {
  return closing && until < lateCloseAt(calendar, day.session) ? Math.min(minutes, closing.due) : minutes;
}

/** Replays one instrument's minutes before `until` into a row of the table. */
function replayRow(path: TradedPath, until: number, table: Columns, row: number, marks: Float64Array, traded: Int32Array): void {
  const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  let lots = 0;
  let turnover = 0;
  path.tape(marks, traded, until);
  for (let minute = 0; minute < until; minute += 1) {
    const volume = traded[minute] ?? 0;
    if (volume === 0) continue;
    path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, volume, bar);
    if (lots === 0) table.open[row] = bar.open;
    table.extendDay(row, bar.high);
    table.extendDay(row, bar.low);
    table.last[row] = bar.close;
    lots += volume;
    turnover += (volume * (bar.open + bar.high + bar.low + bar.close)) / 4;
  }
  table.volume[row] = lots;
  table.turnover[row] = turnover;
}

function quotesOf({ instruments, columns }: MarketColumns, at: number): number[] {
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

/** The contributions to the indices of whole boards. */
function contributionsOf(market: MarketColumns, baskets: Baskets): Contribution[] {
  return market.instruments
    .filter(({ code }) => BOARD_INDICES.some((index) => index === code))
    .map(({ row }) => contributionOf(market, row, constituentsOf(baskets, row)));
}

/** The traded value of each group of instruments, in the units of the column. */
function turnoverOfGroups({ count, groupOf }: Baskets, { count: rows, turnover }: Columns): Float64Array {
  const turnovers = floats(count);
  for (let row = 0; row < rows; row += 1) {
    const group = groupOf[row] ?? -1;
    if (group >= 0) turnovers[group] = (turnovers[group] ?? 0) + (turnover[row] ?? 0);
  }
  return turnovers;
}

/** The funds that trade for the last time in a session, and those that have ended with the one before. */
function endingsOf({ models }: SeededMarket, history: History, session: number): SessionReplay["endings"] {
  return models.flatMap((model, row): SessionReplay["endings"] => {
    if (model?.ends === session + 1) return [{ row, price: null }];
    return model?.ends === session ? [{ row, price: history.dailyBars.day(row, session - 1).close }] : [];
  });
}

/**
 * Replays the session that opened at `opensAt` up to `until` (past its close: the whole session). It takes up to a second, so it
 * runs in steps: call `next()` until it is done.
 */
export function* replaySession(
  market: SeededMarket,
  history: History,
  { opensAt, until, members }: { opensAt: number; until: number; members: readonly MemberSession[] },
): Generator<undefined, SessionReplay> {
  const { calendar, referenceData, models } = market;
  const { session } = calendar.at(opensAt);
  const closesAt = calendar.closesAt(session);
  const minutes = until >= closesAt ? calendar.minutes : Math.max(0, Math.ceil((until - opensAt) / calendar.minuteMs));
  const instruments = referenceData.listings.map(({ instrument }) => instrument);
  const table = new Columns(instruments.length);
  const theirs = new Map(members.map((each) => [each.row, each]));
  const [days, averages]: [(Day | null)[], number[]] = [[], []];
  const actions: SessionReplay["actions"] = [];
  const marks = floats(calendar.minutes + 1);
  const traded = new Int32Array(calendar.minutes + 1);
  for (let row = 0; row < models.length; row += 1) {
    const model = models[row];
    [days[row], averages[row]] = [null, 0];
    if (row % ROWS_PER_STEP === 0) yield;
    if (!model || !isTradedIn(model, session)) continue;
    const day = history.dailyBars.day(row, session);
    const action = history.actionIn(row, session);
    days[row] = day;
    averages[row] = averageLots(history, row, session, model.listed);
    if (action) actions.push({ row, action });
    table.reference[row] = day.reference;
    const { fills, minutes: spans = [] } = theirs.get(row) ?? {};
    const path = withFills(new Path(model, day, market.sessionProfile(session)), model, fills);
    const over = overOf(path, calendar, minutes, until);
    replayRow(path, over, table, row, marks, traded);
    addMembers(table, row, spans, path, calendar, over);
  }
  const replayed: MarketColumns = {
    instruments,
    categories: referenceData.categories,
    columns: table,
    previous: (row) => days[row]?.previous ?? 0,
    issued: (row) => (instruments[row]?.issuedThousands ?? 0) * (days[row]?.shares ?? 1),
    limits: (row) => days[row] ?? NO_LIMITS,
  };
  const baskets = basketsOf(market);
  const turnovers = turnoverOfGroups(baskets, table);
  const references = history.indices.references(session);
  yield;
  history.indices.until(session, minutes, { version: null, members }).forEach(({ open, high, low, close, volume }, nth) => {
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
    table.turnover[row] = sumGroups(basket, turnovers);
  });
  yield;
  return {
    opensAt: calendar.opensAt(session),
    closesAt,
    quotes: quotesOf(replayed, Math.min(until, closesAt)),
    heat: heatOf(replayed, opensAt),
    contributions: contributionsOf(replayed, baskets),
    averageLots: averages,
    actions,
    endings: endingsOf(market, history, session),
  };
}
