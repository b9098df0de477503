/** The past of the simulated market: bars, ex-events, profiles and replays, generated on the history thread. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { INVESTOR_DAYS } from "#contract/investor.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { InvestorDay } from "#contract/investor.ts";
import type { Profile } from "#contract/profile.ts";
import { profileOf } from "#server/venue/simulator/company-profile.ts";
import { isTradedIn } from "#server/venue/simulator/daily-process.ts";
import type { MemberLog } from "#server/venue/matching/member-trade.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import type { PublicMarket } from "#server/venue/simulator/public-market.ts";
import type { ShownIndices } from "#server/venue/simulator/shown-index.ts";
import type { MarketState } from "#server/venue/simulator/market-state.ts";
import type { ExDividend, SessionReplay, Venue } from "#server/venue/venue.ts";
import { MINUTES } from "./bar-aggregation.ts";
import { MINUTE_SESSIONS } from "./bar-history.ts";
import { HistoryClient } from "./history-client.ts";
import type { MarketOrigin } from "./history-worker.ts";
import { PastMembers } from "./past-members.ts";
import { SentMembers } from "./sent-members.ts";
import type { MembersChange } from "./sent-members.ts";

/** The long history of the indices is computed so long after the first viewer came: it takes a core for seconds. */
const PREPARE_AFTER_MS = 5_000;

/** Minutes of a session's clock from the close to what the exchange publishes: at 15:00 and at 21:00 after a close at 13:30. */
const INSTITUTIONS_AFTER_MINUTES = 90;
const MARGIN_AFTER_MINUTES = 450;

/** How often the past of a row is read while members' trades are replaced again and again. */
const MAX_READS = 5;

export class SimulatedHistory {
  readonly #state: MarketState;
  readonly #public: PublicMarket;
  readonly #indices: ShownIndices;
  readonly #client: HistoryClient;
  readonly #dailyBars: DailyBarCache;
  readonly #sent: SentMembers;
  readonly #earlier: PastMembers;
  #preparing: ReturnType<typeof setTimeout> | null = null;

  constructor(origin: MarketOrigin, state: MarketState, published: PublicMarket, indices: ShownIndices) {
    this.#state = state;
    this.#indices = indices;
    this.#public = published;
    this.#client = new HistoryClient(origin);
    this.#sent = new SentMembers(published);
    this.#earlier = new PastMembers(state.market.calendar, (row) => state.market.referenceData.listings[row]?.instrument.code ?? "");
    this.#dailyBars = new DailyBarCache(state.market);
  }

  /** Somebody watches the market: begins what the days of the indices need, once their first screens are read; a second call does nothing. */
  watched(): void {
    if (this.#preparing) return;
    this.#preparing = setTimeout(() => this.#client.prepare(this.#state.session), PREPARE_AFTER_MS);
    this.#preparing.unref();
  }

  /** Goes on after a stop: the thread knows nothing of the market any more. */
  start(): void {
    this.#client.start();
    this.#sent.forget();
  }

  /** Rejects pending queries. */
  stop(): void {
    if (this.#preparing) clearTimeout(this.#preparing);
    this.#preparing = null;
    this.#client.stop();
  }

  /** What the days of a row need of members' trades, from the log and from memory; null where there are none. */
  async #membersOf(row: number): Promise<MemberPast | null> {
    if (!this.#state.market.models[row]) return this.#public.past(row);
    for (let nth = 0; nth < MAX_READS; nth += 1) {
      const { generation } = this.#earlier;
      const { days, fills } = await this.#earlier.of(row, this.#state.session);
      // Replaced meanwhile: the days between what was read and what is in memory now would be missing, or be there twice.
      if (generation !== this.#earlier.generation) continue;
      const latest = this.#public.past(row);
      if (days.length + fills.length === 0) return latest;
      return { days: [...days, ...(latest?.days ?? [])], minutes: latest?.minutes ?? [], fills: [...fills, ...(latest?.fills ?? [])] };
    }
    throw new Error(`members' trades of row ${row} were replaced ${MAX_READS} times while they were read`);
  }

  /** Flat CANDLE_FIELDS as defined by the venue's `candles`; `alone`: by its `ownCandles`. */
  async candles(row: number, period: CandlePeriod, before: number | null, limit: number, alone: boolean): ReturnType<Venue["candles"]> {
    // Minutes are shown of sessions that are in memory.
    const past = MINUTES[period] ? this.#public.past(row) : await this.#membersOf(row);
    const own = this.#public.liveBars(row);
    const { session } = own;
    const isIndex = this.#state.market.models[row] === null;
    const [current, members] = alone && isIndex ? [own, null] : [this.#indices.liveBars(row, own), past];
    const change = isIndex && !alone ? this.#sharesChange(session) : null;
    return this.#client.query({ what: "bars", row, period, before, limit, current, members, change });
  }

  /** What the history of an index needs of members' trades: of all shares, in the sessions whose minutes are kept. */
  #sharesChange(session: number): MembersChange {
    const sessions = Array.from({ length: MINUTE_SESSIONS + 1 }, (_, nth) => session - nth);
    return this.#sent.change(sessions, this.#client.thread);
  }

  /** Members' trades have been replaced by others; `past` reads those that are not in memory. */
  restored(past: MemberLog["past"]): void {
    this.#sent.forget();
    this.#earlier.replace(past);
  }

  /** Something was stored in a session of a row that is not in memory. */
  addedTo(row: number): void {
    this.#earlier.forget(row);
  }

  /** The ex-events of a row, oldest first. */
  actions(row: number): Promise<CorporateAction[]> {
    return this.#client.query({ what: "actions", row, session: this.#state.session });
  }

  /** What an index lost to dividends on the fee days after one and before another. */
  exDividends(row: number, after: number, before: number): Promise<ExDividend[]> {
    return this.#client.query({ what: "exDividends", row, after, before });
  }

  /** The profile of a row, its year including today; null for a row that is not listed. */
  async profile(row: number, now: number): Promise<Profile | null> {
    const members = await this.#membersOf(row);
    const { session, market } = this.#state;
    const listing = market.referenceData.listings[row];
    if (!listing) return null;
    const change = market.models[row] ? null : this.#sharesChange(session);
    const [actions, yearRange] = await Promise.all([
      this.#client.query({ what: "actions", row, session }),
      this.#client.query({ what: "yearRange", row, session, members, change }),
    ]);
    const { day } = this.#indices.liveBars(row, this.#public.liveBars(row));
    const highs = [yearRange?.high ?? 0, day?.high ?? 0];
    const lows = [yearRange?.low ?? 0, day?.low ?? 0];
    return profileOf(market.referenceData, listing, market.models[row]?.parameters.key ?? null, { actions, highs, lows, now });
  }

  /** The institutional trading and margin balances of an instrument that have been published, newest first; null where there are none. */
  async investors({ row, kind, marginable }: Instrument, now: number): Promise<InvestorDay[] | null> {
    if (kind !== "stock" && kind !== "etf") return null;
    const { session, market } = this.#state;
    const { calendar } = market;
    const publishedAt = (minutes: number): number => {
      let newest = session;
      while (newest > 0 && calendar.closesAt(newest) + minutes * calendar.minuteMs > now) newest -= 1;
      return newest;
    };
    const newest = publishedAt(INSTITUTIONS_AFTER_MINUTES);
    const days = await this.#client.query({ what: "investors", row, session: newest, count: INVESTOR_DAYS });
    const unpublished = marginable ? newest - publishedAt(MARGIN_AFTER_MINUTES) : days.length;
    return days.map((day, nth) => (nth < unpublished ? { ...day, margin: null } : day));
  }

  /** The session that opened at `opensAt`, replayed up to `until`. */
  replaySession(opensAt: number, until: number): Promise<SessionReplay | null> {
    const members = this.#public.sessionMinutes(this.#state.market.calendar.at(opensAt).session);
    return this.#client.query({ what: "replay", opensAt, until, members });
  }

  /** Whether a row closed at its lower limit in the previous session. */
  closedAtLimitDown(row: number): boolean {
    const { session, market } = this.#state;
    const model = market.models[row];
    const before = session - 1;
    if (!model || before < Math.max(1, model.listed) || !isTradedIn(model, before)) return false;
    const { close, down } = this.#dailyBars.day(row, before);
    return close === down;
  }
}
