/** What must hold whatever fails in a cluster: clients trade through the fault, and afterwards nothing is lost, doubled, missed or shown differently. */
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { quoteAt } from "#contract/quote.ts";
import { TAPE_STRIDE } from "#contract/tape.ts";
import { dayLimits } from "#contract/tick.ts";
import { openDatabase, query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { ClusterServer } from "./cluster.ts";
import { FactWatch } from "./fact-watch.ts";
import type { FaultyCluster } from "./faulty-cluster.ts";
import { MixedLoad } from "./mixed-load.ts";
import type { Headers } from "./server.ts";

const CODE = "2330";
const CLIENTS = 4;
const SLOT_MS = 50;
/** Acknowledgements before a fault, and after it. */
const WORK = 12;
/** Comparisons of a follower's market with the leader's. */
const COMPARED = 3;
/** Fewer than the servers keep, because what one of them has just dropped the other may not have. */
const COMPARED_TRADES = 60;
const LIMIT_MS = 240_000;

export class ClusterProof {
  readonly #cluster: FaultyCluster;
  readonly #headers: readonly Headers[];
  readonly #load: MixedLoad;
  readonly #row: number;
  readonly #watches: FactWatch[];
  /** What had been acknowledged when the fault began. */
  #acknowledged = 0;
  #name = "";
  readonly #times = new Map<string, number[]>();

  private constructor(cluster: FaultyCluster, headers: readonly Headers[], load: MixedLoad, row: number) {
    this.#cluster = cluster;
    this.#headers = headers;
    this.#load = load;
    this.#row = row;
    this.#watches = cluster.servers.flatMap((server) => headers.map((each) => new FactWatch(server, each)));
    for (let nth = 0; nth < CLIENTS; nth += 1) load.add(headers[nth % headers.length] as Headers);
  }

  /** Signs the members in, through a follower, and opens a socket of each at every server. */
  static async open(cluster: FaultyCluster, credentials: readonly Asked<"signIn">[]): Promise<ClusterProof> {
    const [one = cluster.leader()] = cluster.followers();
    const headers: Headers[] = [];
    for (const each of credentials) headers.push(await one.read("signIn", each));
    const { instruments } = await one.read("listInstruments", {}, headers[0]);
    const row = instruments.findIndex(({ code }) => code === CODE);
    const { quotes } = await one.read("readView", { rows: [row], ranks: [], channels: {} }, headers[0]);
    const instrument = instruments[row];
    const far = instrument && dayLimits(instrument, quoteAt(quotes, 0).reference)?.down;
    if (far === undefined) throw new Error("the instrument has no price limits");
    return new ClusterProof(cluster, headers, new MixedLoad(cluster.servers, { code: CODE, far }), row);
  }

  async until(happened: () => Promise<boolean> | boolean): Promise<void> {
    const began = performance.now();
    while (!(await happened())) {
      if (performance.now() - began > LIMIT_MS) throw new Error(`${this.#name}: it did not happen`);
      await wait(10);
    }
  }

  /** Causes a fault under load, and proves that nothing is wrong after it. */
  async during(name: string, fault: () => Promise<void>): Promise<void> {
    this.#name = name;
    this.#load.run();
    await this.#works();
    const before = this.#watches.map(({ batches, server }) => ({ batches, ends: server.ends }));
    await fault();
    await this.#works();
    this.#note(Math.round(this.#load.longestMs));
    // The market went on at the sockets of servers that did not end.
    const silent = this.#watches.filter(({ batches, server }, nth) => server.ends === before[nth]?.ends && batches <= before[nth].batches);
    await this.#cluster.settled();
    await this.#load.rest();
    await this.#followersAreEqual();
    await this.#isStored();
    await this.#wereTold();
    expect(silent.map(({ server }) => server.url)).toEqual([]);
  }

  /** Says that the fault begins now. */
  failed(): void {
    this.#load.watch();
    this.#acknowledged = this.#load.acknowledged;
  }

  /** Resolves when something is acknowledged again. */
  async resumed(): Promise<void> {
    await this.until(() => this.#load.acknowledged > this.#acknowledged);
  }

  /** Resolves when the sockets of a server have each got quotes again. */
  async sends(server: ClusterServer): Promise<void> {
    const own = this.#watches.filter((watch) => watch.server === server);
    const before = own.map(({ batches }) => batches);
    await this.until(() => own.every(({ batches }, nth) => batches > (before[nth] ?? 0)));
  }

  /** Prints for how long nothing was acknowledged. */
  #note(ms: number): void {
    this.#times.set(this.#name, [...(this.#times.get(this.#name) ?? []), ms]);
    console.log(`${this.#name}: nothing was acknowledged for ${ms} ms`);
  }

  /** The newest order that was acknowledged. */
  newestOrder(): string {
    return [...this.#load.orders.values()].reduce((a, b) => (a > b ? a : b), "");
  }

  /** The newest orders that a server knows of, of all members; none when it does not say. */
  async newestOf(server: ClusterServer): Promise<(string | undefined)[]> {
    const statuses = ["pending", "holding", "readyToClose", "closed", "cancelled"] as Asked<"listOrders">["statuses"];
    const replies = await Promise.all(this.#headers.map((each) => server.ask("listOrders", { statuses, cursor: null }, each)));
    const numbers = replies.flatMap((reply) => (reply?.status === 1 ? [reply.data.items[0]?.orderNo ?? ""] : []));
    // Whose order is the newest is not known.
    return numbers.length < this.#headers.length ? [] : [numbers.reduce((a, b) => (a > b ? a : b))];
  }

  async #works(): Promise<void> {
    const before = this.#load.acknowledged;
    await this.until(() => this.#load.acknowledged >= before + WORK);
  }

  /** What a server shows, without what each counts and orders for itself: a late trade is the newest of the tape. And in which slot. */
  async #shown(server: ClusterServer): Promise<{ slot: number; shown: string } | null> {
    const view = { rows: [this.#row], ranks: [], channels: { depth: this.#row, tape: this.#row } };
    const reply = await server.ask("readView", view, this.#headers[0]);
    if (reply?.status !== 1) return null;
    const { quotes, channels, at } = reply.data;
    const { depth, tape } = channels;
    const flat = tape?.trades ?? [];
    const trades = Array.from({ length: flat.length / TAPE_STRIDE }, (_none, nth) =>
      flat.slice(nth * TAPE_STRIDE + 1, (nth + 1) * TAPE_STRIDE).join(" "),
    );
    const shown = [quotes.slice(2), depth && { ...depth, seq: 0 }, trades.slice(-COMPARED_TRADES).toSorted()];
    return { slot: Math.floor(at / SLOT_MS), shown: JSON.stringify(shown) };
  }

  async #followersAreEqual(): Promise<void> {
    const began = performance.now();
    let [asked, differed] = [0, 0];
    for (const server of this.#cluster.followers()) {
      let [compared, last] = [0, [""]];
      await this.until(async () => {
        const [theirs, own] = await Promise.all([this.#shown(server), this.#shown(this.#cluster.leader())]);
        asked += 1;
        if (!theirs || theirs.slot !== own?.slot) return false;
        compared = theirs.shown === own.shown ? compared + 1 : 0;
        if (compared === 0) differed += 1;
        last = [theirs.shown, own.shown];
        return compared >= COMPARED;
      }).catch(() => expect(last[0]).toBe(last[1] ?? "nothing to compare with"));
    }
    // On a busy machine two servers are seldom asked in one slot.
    const found = `found after ${Math.round(performance.now() - began)} ms and ${asked} questions, ${differed} with another answer in the same slot`;
    console.log(`${this.#name}: followers show the leader's market, ${found}`);
  }

  /** Everything that was acknowledged is stored once, and nothing else. */
  async #isStored(): Promise<void> {
    const { orders, cancelled, deposits, refusedIds, contradictions } = this.#load;
    const db = await openDatabase({ dataDir: null, databaseUrl: this.#cluster.postgres.url(), existing: true, poolSize: 1 });
    try {
      const accounts = this.#headers.map(({ account }) => account);
      const stored = await query<{ id: string; no: string; status: string }>(
        db.kysely,
        `SELECT request_id AS id, order_no AS no, status FROM "order" JOIN member ON member.id = member_id WHERE account = ANY($1)`,
        [accounts],
      );
      expect(contradictions.join("\n")).toBe("");
      const known = stored.filter(({ id }) => !refusedIds.has(id)).map(({ id, no }) => `${id} ${no}`);
      expect(known.toSorted()).toEqual([...orders].map(([id, no]) => `${id} ${no}`).toSorted());
      const open = new Set(stored.filter(({ status }) => status === "pending").map(({ no }) => no));
      expect([...cancelled.values()].filter((no) => open.has(no))).toEqual([]);
      await this.#depositsAre(db.kysely, accounts, [...deposits.values()]);
      const facts = await query(db.kysely, "SELECT member_id FROM fact GROUP BY member_id HAVING max(n) <> count(*) OR min(n) <> 1");
      expect(facts).toEqual([]);
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  }

  async #depositsAre(db: Reader, accounts: readonly string[], acknowledged: readonly string[]): Promise<void> {
    const rows = await query<{ no: string }>(
      db,
      "SELECT deposit_no AS no FROM deposit JOIN member ON member.id = member_id WHERE account = ANY($1)",
      [accounts],
    );
    expect(rows.map(({ no }) => no).toSorted()).toEqual(acknowledged.toSorted());
  }

  /** Every socket has brought the facts in order, and every client knows all of them. */
  async #wereTold(): Promise<void> {
    for (const watch of this.#watches) expect(watch.broken()).toEqual([]);
    for (const [nth, headers] of this.#headers.entries()) {
      const { newest } = await this.#cluster.leader().read("factsSince", { after: 2_147_483_647 }, headers);
      expect(newest).toBeGreaterThan(0);
      for (const watch of this.#watches.filter((_watch, at) => at % this.#headers.length === nth)) {
        await this.until(() => watch.known.size >= newest).catch(() => undefined);
        expect(Array.from({ length: newest }, (_none, at) => at + 1).filter((n) => !watch.known.has(n))).toEqual([]);
      }
    }
  }

  /** Ends the clients, and prints how long each fault took. */
  async close(): Promise<void> {
    await this.#load.end();
    for (const watch of this.#watches) watch.close();
    const { orders, cancelled, deposits, refused } = this.#load;
    console.log(`${orders.size} orders, ${cancelled.size} cancelled, ${deposits.size} deposits; refused: ${JSON.stringify([...refused])}`);
    for (const [name, all] of this.#times) {
      const sorted = all.toSorted((a, b) => a - b);
      console.log(
        `${name}: ${sorted.length} times, nothing acknowledged for a median of ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`,
      );
    }
  }
}
