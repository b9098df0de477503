/**
 * Tests that the server may die at any statement of an offering's life (opening, closing, drawing, telling, charging, allotting, listing):
 * the next process goes on, and everything happened once.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { offeringClock } from "#server/offerings/offering-clock.ts";
import { sized } from "#tests/support/size.ts";
import { dyingAt, live } from "./dying.ts";
import { DELIVERY, DEPOSIT, FEE, HOURS, RICH, apply, newSubscriber, openOfferings, openWindow, setRule } from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

/** Statements between two deaths. */
const STRIDE = sized(7, 1);

let broker: OfferingBroker;
let members: number[];
beforeAll(async () => {
  broker = await openOfferings();
  members = [await newSubscriber(broker, 1_000 * RICH), await newSubscriber(broker, 1_000 * RICH), await newSubscriber(broker)];
  await setRule(broker, null, { barredDraws: 0 });
});
afterAll(() => broker.db.close());

/** A process with nothing but the clock: it takes an offering through its life. @returns whether it died */
const liveOn = (db: Database, start: number): Promise<boolean> =>
  live(db, broker, async function* steps(process) {
    const tick = offeringClock(process);
    for (const hours of [HOURS.closes, HOURS.drawn, HOURS.payable, HOURS.allotted, HOURS.listed]) {
      broker.clock.now = Math.max(broker.clock.now, start + hours * 3_600_000 + 1);
      yield await tick();
    }
  });

interface Outcome {
  status: string;
  positions: number;
  facts: string[];
}

const OUTCOMES = `SELECT s.status,
  (SELECT count(*)::integer FROM "order" WHERE "order".member_id = s.member_id AND "order".request_id = s.request_id) AS positions,
  (SELECT json_agg(type ORDER BY n) FROM fact WHERE fact.member_id = s.member_id AND body->'subscription'->>'subscriptionNo' = s.subscription_no) AS facts
FROM subscription AS s WHERE offering_no = $1 ORDER BY id`;

const LIVES: Record<string, { positions: number; facts: string[] }> = {
  paid: { positions: 1, facts: ["applied", "won", "paid", "allotted"] },
  notWon: { positions: 0, facts: ["applied", "notWon"] },
  paymentFailed: { positions: 0, facts: ["applied", "won", "paymentFailed"] },
};

it("may die at any statement, and everything happens once", async () => {
  const ends = new Set<string>();
  let deaths = 0;
  for (let statements = 0; ; statements += STRIDE) {
    const start = broker.clock.now;
    const poor = members[2] ?? 0;
    const { available } = await money(poor);
    // Enough for the application and not for the rest.
    await setFree(poor, available, FEE + DELIVERY + DEPOSIT + 7);
    const { offeringNo } = await openWindow(broker, members[0] ?? 0, { lots: 3 }, { applications: () => 1 });
    for (const member of members) await apply(broker, member, offeringNo);
    await broker.stop();
    await broker.sequencer.idle();
    const hasDied = await liveOn(dyingAt(broker.db, statements), start);
    if (hasDied) deaths += 1;
    if (hasDied) expect(await liveOn(broker.db, start)).toBe(false);
    const [row] = await query<{ phase: string }>(broker.db.kysely, "SELECT phase FROM offering WHERE offering_no = $1", [offeringNo]);
    expect(row?.phase).toBe("listed");
    for (const { status, positions, facts } of await query<Outcome>(broker.db.kysely, OUTCOMES, [offeringNo])) {
      const { facts: types, ...rest } = LIVES[status] ?? { facts: [], positions: -1 };
      expect({ positions, facts }).toEqual({ ...rest, facts: types.map((type) => `subscription.${type}`) });
      ends.add(status);
    }
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    broker = await openOfferings(broker);
    if (!hasDied) break;
  }
  await broker.stop();
  await broker.sequencer.idle();
  expect(deaths).toBeGreaterThan(sized(5, 40));
  expect(ends).toEqual(new Set(["paid", "notWon", "paymentFailed"]));
}, 600_000);

const money = async (member: number): Promise<{ available: number }> => {
  const [row] = await query<{ available: number }>(
    broker.db.kysely,
    "SELECT balance AS available FROM pocket WHERE member_id = $1 AND kind = 'available' AND currency = 'TWD'",
    [member],
  );
  return { available: row?.available ?? 0 };
};

/** Moves a member's free money out or in until so much is left. */
const setFree = (member: number, available: number, wanted: number) =>
  broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      const out = { from: "available", to: "external", amount: Math.max(0, available - wanted) } as const;
      const into = { from: "external", to: "available", amount: Math.max(0, wanted - available) } as const;
      batch.ledger.post({ memberId: member, kind: "withdrawal", orderNo: null, moves: [out] });
      batch.ledger.post({ memberId: member, kind: "deposit", orderNo: null, moves: [into] });
    },
  });
