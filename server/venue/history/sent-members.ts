/**
 * What members did to shares in the latest sessions, for the charts of indices. The history's thread keeps it, and each query brings only what has
 * changed since the last one: the whole of it may be megabytes, and many charts ask.
 */
import type { MemberSession, PublicMarket } from "#server/venue/simulator/public-market.ts";
import type { MemberSpan } from "#server/venue/matching/member-trade.ts";

/** What has changed; `whole`: it replaces what was sent before. */
export interface MembersChange {
  whole: boolean;
  sessions: { session: number; members: MemberSession[] }[];
}

/** The state of a row in a session by which a change is noticed: spans are replaced and fills are added, neither is altered. */
interface State {
  span: MemberSpan | null;
  fills: number;
}

/** The venue's side: knows what the thread has been sent. */
export class SentMembers {
  readonly #market: Pick<PublicMarket, "memberRows" | "memberState" | "sessionOf">;
  #sent = new Map<number, Map<number, State>>();
  #thread = 0;

  constructor(market: Pick<PublicMarket, "memberRows" | "memberState" | "sessionOf">) {
    this.#market = market;
  }

  /** Forgets what was sent: after a restore the thread may know what is no longer so. */
  forget(): void {
    this.#sent = new Map();
    this.#thread = 0;
  }

  /** What a thread, by its number, does not know of some sessions. Later calls take it as sent. */
  change(sessions: readonly number[], thread: number): MembersChange {
    const whole = thread !== this.#thread;
    const before = whole ? new Map<number, Map<number, State>>() : this.#sent;
    this.#thread = thread;
    this.#sent = new Map(sessions.map((session) => [session, before.get(session) ?? new Map<number, State>()]));
    const changed = sessions.map((session) => {
      const sent = this.#sent.get(session);
      const rows = this.#market.memberRows(session).filter((row) => {
        const [state, known] = [this.#market.memberState(row, session), sent?.get(row)];
        sent?.set(row, state);
        return known?.span !== state.span || known.fills !== state.fills;
      });
      return { session, members: rows.map((row) => this.#market.sessionOf(row, session)) };
    });
    return { whole, sessions: changed.filter(({ members }) => members.length > 0) };
  }
}

/** What members did in a session; another `version` whenever it is something else, null where nothing tells. */
export interface KnownSession {
  version: number | null;
  members: readonly MemberSession[];
}

/** The thread's side. */
export class KnownMembers {
  readonly #kept: number;
  readonly #sessions = new Map<number, { version: number; rows: Map<number, MemberSession> }>();
  #versions = 0;

  /** `kept`: of how many sessions it is known. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  apply({ whole, sessions }: MembersChange): void {
    if (whole) this.#sessions.clear();
    for (const { session, members } of sessions) {
      this.#versions += 1;
      const rows = this.#sessions.get(session)?.rows ?? new Map<number, MemberSession>();
      for (const member of members) rows.set(member.row, member);
      this.#sessions.set(session, { version: this.#versions, rows });
    }
    const newest = Math.max(...this.#sessions.keys());
    for (const session of this.#sessions.keys()) if (session <= newest - this.#kept) this.#sessions.delete(session);
  }

  /** Null where members did nothing. */
  of(session: number): KnownSession | null {
    const known = this.#sessions.get(session);
    return known ? { version: known.version, members: [...known.rows.values()] } : null;
  }
}
