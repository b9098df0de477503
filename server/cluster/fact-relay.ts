/** Passes members' facts to the sockets of a follower: each once, in order, and from the database those that Redis has lost. */
import type { Fact } from "#contract/fact.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";

/** Facts per query. */
const MAX_FACTS = 500;

/** A member with sockets here. */
interface Followed {
  sockets: number;
  /** The number of the newest fact that was passed on. */
  known: number;
  /** Resolves when it is known. */
  ready: Promise<void>;
}

export interface FactRelayDeps {
  db: Pick<Database, "kysely">;
  /** Pushes a fact to all sockets of its member. */
  publish: (memberId: number, fact: Fact) => void;
}

export class FactRelay {
  readonly #deps: FactRelayDeps;
  readonly #members = new Map<number, Followed>();

  constructor(deps: FactRelayDeps) {
    this.#deps = deps;
  }

  /** Follows a member's facts for one more socket, those from now on. @returns how to stop. @throws what keeps the database from answering */
  async follow(memberId: number): Promise<() => void> {
    let member = this.#members.get(memberId);
    if (!member) {
      member = { sockets: 0, known: 0, ready: Promise.resolve() };
      member.ready = this.#begin(memberId, member);
      this.#members.set(memberId, member);
    }
    const followed = member;
    followed.sockets += 1;
    let isOn = true;
    const stop = (): void => {
      if (isOn) followed.sockets -= 1;
      isOn = false;
      if (followed.sockets === 0 && this.#members.get(memberId) === followed) this.#members.delete(memberId);
    };
    try {
      await followed.ready;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  async #begin(memberId: number, member: Followed): Promise<void> {
    const row = await this.#deps.db.kysely.selectFrom("tally").select("fact_n").where("member_id", "=", memberId).executeTakeFirst();
    member.known = row?.fact_n ?? 0;
  }

  /** Takes a fact that Redis brought. @throws what keeps the database from answering; what is missing then is read by `catchUp` */
  async take(memberId: number, fact: Fact): Promise<void> {
    const member = this.#members.get(memberId);
    if (!member) return;
    await member.ready;
    if (fact.n === member.known + 1) this.#pass(memberId, member, fact);
    else if (fact.n > member.known) await this.#readMissed(memberId, member);
  }

  /** Passes on what was missed, of all members with sockets here. @throws what keeps the database from answering */
  async catchUp(): Promise<void> {
    if (this.#members.size === 0) return;
    const tallies = await query<{ memberId: number; newest: number }>(
      this.#deps.db.kysely,
      'SELECT member_id AS "memberId", fact_n AS newest FROM tally WHERE member_id = ANY($1)',
      [[...this.#members.keys()]],
    );
    for (const { memberId, newest } of tallies) {
      const member = this.#members.get(memberId);
      if (!member) continue;
      await member.ready;
      if (newest > member.known) await this.#readMissed(memberId, member);
    }
  }

  async #readMissed(memberId: number, member: Followed): Promise<void> {
    for (;;) {
      const rows = await this.#deps.db.kysely
        .selectFrom("fact")
        .select("body")
        .where("member_id", "=", memberId)
        .where("n", ">", member.known)
        .orderBy("n")
        .limit(MAX_FACTS)
        .execute();
      for (const { body } of rows) this.#pass(memberId, member, body as Fact);
      if (rows.length < MAX_FACTS) return;
    }
  }

  #pass(memberId: number, member: Followed, fact: Fact): void {
    member.known = fact.n;
    this.#deps.publish(memberId, fact);
  }
}
