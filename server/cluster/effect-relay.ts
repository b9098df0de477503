/** Applies to a follower's market what members did to the leader's: as it is published, and from the database what was missed. */
import type { Database, Reader } from "#server/db/database.ts";
import { readNewest } from "#server/trading/sequencer/member-days.ts";
import { readCalls, readEffectsAfter, restoreTrades } from "#server/trading/sequencer/stored-effects.ts";
import type { JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { TakenLevels } from "#server/venue/matching/consumed-liquidity.ts";
import type { ReportedTrades, StoredUpTo } from "#server/venue/matching/member-effect.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";
import { byRow } from "./message.ts";
import type { CodedJoined, CodedReport, CodedTaken } from "./message.ts";

export interface EffectRelayDeps {
  db: Pick<Database, "kysely">;
  venue: Venue;
  now: () => number;
}

const isThere = <Of>(of: Of | null): of is Of => of !== null;

export class EffectRelay {
  readonly #deps: EffectRelayDeps;
  /** The newest trade and fill that are applied. */
  #applied: StoredUpTo = { tradeId: 0, fillId: 0 };
  /** The calls of the session that are applied: a priced call is published before it is stored, and is not to count twice. */
  readonly #calls = new Map<string, string>();
  #opensAt = 0;
  #joined = new Map<number, JoinedOrders>();

  constructor(deps: EffectRelayDeps) {
    this.#deps = deps;
  }

  /** Reads the effects that are stored. */
  async open(): Promise<void> {
    const { db, venue, now } = this.#deps;
    await this.#inSnapshot(async (tx) => {
      const calls = await readCalls(tx, venue, now());
      this.#applied = await restoreTrades(tx, venue, now(), db.kysely);
      this.#calls.clear();
      for (const call of calls) this.#isNewCall(call);
    });
    venue.joinCalls((row) => this.#joined.get(row) ?? null);
  }

  /** Reads everything again, for a new leader: a call that the one before priced and published may never have been stored. */
  async reopen(): Promise<void> {
    await this.open();
    const { effects, instruments } = this.#deps.venue;
    for (const { row } of instruments) effects?.touch(row);
  }

  /** Forgets what was only published, before this server leads: nothing is traded on what came through Redis alone. */
  forgetUnstored(): void {
    const { venue } = this.#deps;
    this.#joined.clear();
    venue.joinCalls(() => null);
    venue.effects?.replaceTaken([]);
  }

  /** Takes what was taken from the leader's books. */
  take(coded: CodedTaken): void {
    const taken = byRow<TakenLevels>(this.#deps.venue, coded);
    if (taken) this.#deps.venue.effects?.take(taken);
  }

  /** Takes what was reported. `isBehind`: something before it may be missing; then what is stored is left to `catchUp`, which keeps its order. */
  report({ trades, fills, stored }: CodedReport, isBehind: boolean): void {
    const { venue } = this.#deps;
    if (stored && (isBehind || this.#isApplied(stored))) return;
    const ofTrades = trades.map((each) => byRow<MemberTrade>(venue, each)).filter(isThere);
    const ofFills = fills.map((each) => byRow<MemberFill>(venue, each)).filter(isThere);
    this.#apply({ trades: ofTrades, fills: ofFills, stored });
  }

  /** Takes members' orders in the next calls of some instruments. */
  join(joined: readonly CodedJoined[]): void {
    const { venue } = this.#deps;
    for (const [code, orders] of joined) {
      const row = venue.instrument(code)?.row;
      if (row === undefined) continue;
      if (orders) this.#joined.set(row, orders);
      else this.#joined.delete(row);
      venue.effects?.touch(row);
    }
  }

  /** Replaces what is in the leader's memory alone. */
  replaceBooks({ taken, joined }: { taken: readonly CodedTaken[]; joined: readonly CodedJoined[] }): void {
    const { venue } = this.#deps;
    venue.effects?.replaceTaken(taken.map((each) => byRow<TakenLevels>(venue, each)).filter(isThere));
    for (const row of this.#joined.keys()) venue.effects?.touch(row);
    this.#joined = new Map();
    this.join(joined);
  }

  /** Applies what was stored since; everything again, where the database has less than was published. @throws what keeps the database from answering */
  async catchUp(): Promise<void> {
    const { venue, now } = this.#deps;
    const missed = await this.#inSnapshot(async (tx) => {
      const effects = await readEffectsAfter(tx, venue, now(), this.#applied);
      return this.#isBeyond(await readNewest(tx)) ? null : effects;
    });
    if (missed) this.#apply(missed);
    else await this.reopen();
  }

  /** A batch is stored while this reads: without its trades, its fills would count again when it is published. */
  #inSnapshot<Result>(read: (tx: Reader) => Promise<Result>): Promise<Result> {
    return this.#deps.db.kysely.transaction().setIsolationLevel("repeatable read").execute(read);
  }

  /** Whether a trade or fill is applied that the database does not have. */
  #isBeyond({ tradeId, fillId }: StoredUpTo): boolean {
    return this.#applied.tradeId > tradeId || this.#applied.fillId > fillId;
  }

  /** A batch is stored as a whole: its newest trade or fill tells about all of it. */
  #isApplied({ tradeId, fillId }: StoredUpTo): boolean {
    return tradeId <= this.#applied.tradeId && fillId <= this.#applied.fillId;
  }

  #apply({ trades, fills, stored }: ReportedTrades): void {
    const { venue } = this.#deps;
    const fresh = trades.filter((trade) => trade.side !== 0 || this.#isNewCall(trade));
    if (fresh.length > 0 || fills.length > 0) venue.report(fresh, fills);
    if (!stored) return;
    const { tradeId, fillId } = this.#applied;
    this.#applied = { tradeId: Math.max(tradeId, stored.tradeId), fillId: Math.max(fillId, stored.fillId) };
  }

  #isNewCall(trade: MemberTrade): boolean {
    const { opensAt } = this.#deps.venue.state(this.#deps.now());
    if (opensAt !== this.#opensAt) this.#calls.clear();
    this.#opensAt = opensAt;
    const [key, text] = [`${trade.row} ${trade.at}`, `${trade.price} ${trade.lots}`];
    if (this.#calls.get(key) === text) return false;
    this.#calls.set(key, text);
    return true;
  }
}
