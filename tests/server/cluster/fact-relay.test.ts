/** Tests that a follower passes each of a member's facts on once and in order, whatever Redis loses, repeats or swaps. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fact } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { FactRelay } from "#server/cluster/fact-relay.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
let memberId: number;
let relay: FactRelay;
let passed: number[];

beforeEach(async () => {
  db = await openTestDatabase();
  const secrets = { idNumber: "C100000003", password: "rich-member", guaranteeCode: "888888" };
  await createMember(db, { account: "KS900001", name: "金滿堂", identity: "verified", depositCents: cents(0), at: 1, ...secrets });
  ({ id: memberId } = await db.kysely.selectFrom("member").select("id").where("account", "=", "KS900001").executeTakeFirstOrThrow());
  passed = [];
  relay = new FactRelay({ db, publish: (of, { n }) => passed.push(of === memberId ? n : -n) });
});
afterEach(() => db.close());

const fact = (n: number): Fact => ({ n, at: 1, type: "agreement.signed" }) as unknown as Fact;
const newest = async (): Promise<number> =>
  (await query<{ n: number }>(db.kysely, "SELECT coalesce(max(fact_n), 0) AS n FROM tally WHERE member_id = $1", [memberId]))[0]?.n ?? 0;

/** Stores so many facts, as the sequencer does before it tells them. @returns them */
async function store(count: number): Promise<Fact[]> {
  const from = await newest();
  const facts = Array.from({ length: count }, (_, nth) => fact(from + 1 + nth));
  for (const { n, ...rest } of facts)
    await query(db.kysely, "INSERT INTO fact (member_id, n, at, type, body) VALUES ($1, $2, 1, 'test', $3)", [
      memberId,
      n,
      JSON.stringify({ n, ...rest }),
    ]);
  await query(
    db.kysely,
    "INSERT INTO tally (member_id, fact_n) VALUES ($1, $2) ON CONFLICT (member_id) DO UPDATE SET fact_n = excluded.fact_n",
    [memberId, from + count],
  );
  return facts;
}

const given = (facts: readonly Fact[]): number[] => facts.map(({ n }) => n);

test("facts from before the socket are not pushed, later ones once each", async () => {
  await store(3);
  await relay.follow(memberId);
  const facts = await store(3);
  for (const each of facts) {
    await relay.take(memberId, each);
    await relay.take(memberId, each);
  }
  for (const each of facts) await relay.take(memberId, each);
  expect(passed).toEqual(given(facts));
});

test("those that were lost come from the database before the next one, however many they are", async () => {
  await relay.follow(memberId);
  const facts = await store(1_100);
  const last = facts.at(-1);
  if (last) await relay.take(memberId, last);
  expect(passed).toEqual(given(facts));
  const more = await store(2);
  await relay.catchUp();
  await relay.catchUp();
  for (const each of more) await relay.take(memberId, each);
  expect(passed).toEqual(given([...facts, ...more]));
});

test("nothing is read or pushed for members without sockets here, and the last one to leave ends it", async () => {
  const [one] = await store(1);
  if (one) await relay.take(memberId, one);
  expect(passed).toEqual([]);
  const [leave, alsoLeave] = [await relay.follow(memberId), await relay.follow(memberId)];
  leave();
  leave();
  const facts = await store(2);
  await relay.catchUp();
  expect(passed).toEqual(given(facts));
  alsoLeave();
  await store(2);
  await relay.catchUp();
  expect(passed).toEqual(given(facts));
});

test("a socket whose member's facts cannot be followed is refused, and the next one is not", async () => {
  let isAway = true;
  const broken = new FactRelay({
    db: {
      get kysely() {
        if (isAway) throw new Error("the database is away");
        return db.kysely;
      },
    },
    publish: (_member, { n }) => passed.push(n),
  });
  await expect(broken.follow(memberId)).rejects.toThrow("away");
  isAway = false;
  await broken.follow(memberId);
  const facts = await store(1);
  await broken.catchUp();
  expect(passed).toEqual(given(facts));
});
