/** Answers history queries of the process's venues on its own thread, and computes the long history of the indices in between, once somebody watches the market. */
import { parentPort } from "node:worker_threads";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { MINUTES } from "./bar-aggregation.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { InvestorDay } from "#contract/investor.ts";
import { failure } from "#server/kernel/request-thread.ts";
import type { Reply } from "#server/kernel/request-thread.ts";
import { History, MINUTE_SESSIONS } from "./bar-history.ts";
import type { BarsQuery, HighLow } from "./bar-history.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { IssueRange } from "#server/venue/simulator/issue-table.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import type { MemberSession } from "#server/venue/simulator/public-market.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { ExDividend, SessionReplay } from "#server/venue/venue.ts";
import { InvestorHistory } from "./investor-history.ts";
import { replaySession } from "./session-replay.ts";
import { KnownMembers } from "./sent-members.ts";
import type { MembersChange } from "./sent-members.ts";

/** Bars; the ex-events of an instrument, its year's range or its investors, as of a session; the replay of a session up to a moment. */
export type HistoryQuery =
  | ({ what: "bars"; change: MembersChange | null } & Omit<BarsQuery, "all">)
  | { what: "actions"; row: number; session: number }
  | { what: "exDividends"; row: number; after: number; before: number }
  | { what: "yearRange"; row: number; session: number; members: MemberPast | null; change: MembersChange | null }
  | { what: "investors"; row: number; session: number; count: number }
  | { what: "replay"; opensAt: number; until: number; members: readonly MemberSession[] };

export interface HistoryResults {
  bars: { bars: number[]; more: boolean };
  actions: CorporateAction[];
  exDividends: ExDividend[];
  yearRange: HighLow | null;
  investors: InvestorDay[];
  replay: SessionReplay;
}

/** What a market is built from. */
export interface MarketOrigin {
  seed: Seed;
  hours: Hours;
  codes: readonly string[] | undefined;
  issues: IssueRange | null;
  /** When it was given its present rules of prices; null when it never had others. */
  changedAt: number | null;
}

/** The venue that asks, and the origin of its market, so that a restarted thread needs no setup. */
export interface VenueContext extends MarketOrigin {
  venue: number;
}

/** Asks to compute the long index history as of a session, or says that the venue has stopped. */
export type HistoryNotice = VenueContext & ({ session: number } | { stopped: true });

type HistoryRequest = HistoryNotice | (VenueContext & { id: number; query: HistoryQuery });

/** The history of one venue's market. */
interface VenueHistory {
  market: SeededMarket;
  history: History;
  investors: InvestorHistory;
  members: KnownMembers;
  /** Replies to queries that arrived before the index history was ready. */
  deferred: (() => void)[];
  preparing: boolean;
}

const histories = new Map<number, VenueHistory>();

function historyOf({ venue, seed, hours, codes, issues, changedAt }: VenueContext): VenueHistory {
  let venueHistory = histories.get(venue);
  if (!venueHistory) {
    const market = marketOf(seed, hours, codes, issues, changedAt);
    const members = new KnownMembers(MINUTE_SESSIONS + 1);
    venueHistory = {
      market,
      history: new History(market),
      investors: new InvestorHistory(market),
      members,
      deferred: [],
      preparing: false,
    };
    histories.set(venue, venueHistory);
  }
  return venueHistory;
}

/** Computes the index history in small steps between queries, until it is done or the venue is gone. */
function prepareStep(venue: number, session: number): void {
  const venueHistory = histories.get(venue);
  if (venueHistory?.history.indices.prepareStep(session)) setImmediate(prepareStep, venue, session);
  else for (const reply of venueHistory?.deferred.splice(0) ?? []) reply();
}

function startPreparing(venue: number, venueHistory: VenueHistory, session: number): void {
  if (!venueHistory.preparing) setImmediate(prepareStep, venue, session);
  venueHistory.preparing = true;
}

const post = (reply: Reply<HistoryResults[keyof HistoryResults]>): void => parentPort?.postMessage(reply);

/** Runs a replay in steps, so that it does not delay queries for bars. */
function runReplay(id: number, replay: Generator<undefined, SessionReplay>): void {
  try {
    const step = replay.next();
    if (step.done) post({ id, answer: step.value });
    else setImmediate(runReplay, id, replay);
  } catch (error) {
    post(failure(id, error));
  }
}

function answer(
  { history, investors, members }: VenueHistory,
  query: Exclude<HistoryQuery, { what: "replay" }>,
): HistoryResults[keyof HistoryResults] {
  switch (query.what) {
    case "bars":
      return history.bars({ ...query, all: query.change && members });
    case "actions":
      return history.actions(query.row, query.session);
    case "exDividends":
      return history.indices.exDividends(query.row, query.after, query.before);
    case "yearRange":
      return history.yearRange(query.row, query.session, query.members, query.change && members);
    case "investors":
      return investors.days(query.row, query.session, query.count);
  }
}

function reply(venueHistory: VenueHistory, id: number, query: Exclude<HistoryQuery, { what: "replay" }>): void {
  try {
    post({ id, answer: answer(venueHistory, query) });
  } catch (error) {
    post(failure(id, error));
  }
}

/**
 * The session as of which the long index history is wanted, and whether the query waits for it: the days of an index do; its minutes only
 * begin it, since its days are often asked for next. Null for other queries.
 */
function wantedIndexHistory({ market }: VenueHistory, query: HistoryQuery): { session: number; waits: boolean } | null {
  if (query.what !== "bars" && query.what !== "yearRange") return null;
  if (market.models[query.row]) return null;
  if (query.what === "yearRange") return { session: query.session, waits: true };
  return { session: query.current.session, waits: !MINUTES[query.period] };
}

parentPort?.on("message", (request: HistoryRequest) => {
  const { venue } = request;
  if ("stopped" in request) {
    histories.delete(venue);
    return;
  }
  const venueHistory = historyOf(request);
  if ("session" in request) {
    startPreparing(venue, venueHistory, request.session);
    return;
  }
  const { id, query } = request;
  if (query.what === "replay") {
    runReplay(id, replaySession(venueHistory.market, venueHistory.history, query));
    return;
  }
  if ((query.what === "bars" || query.what === "yearRange") && query.change) venueHistory.members.apply(query.change);
  const wanted = venueHistory.history.indices.ready ? null : wantedIndexHistory(venueHistory, query);
  // Takes seconds, so it must not delay other queries.
  if (wanted?.waits) venueHistory.deferred.push(() => reply(venueHistory, id, query));
  else reply(venueHistory, id, query);
  if (wanted) startPreparing(venue, venueHistory, wanted.session);
});
