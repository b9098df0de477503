/**
 * Tests that the server may die at any statement of a fund's end (telling its holders, redeeming their positions, paying them, ending savings
 * plans, withdrawing alerts, ending stakes and the fund): the next process goes on, and everything happened once.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { RaiseClock } from "#server/offerings/raise-clock.ts";
import { dyingAt, live } from "#tests/server/offerings/dying.ts";
import { HOURS, openOfferings } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { sized } from "#tests/support/size.ts";
import { moneyOf, newSubscriber, openFund, reaches, stakeIs, startPlan, subscribe } from "./fixture.ts";

/** Statements between two deaths. */
const STRIDE = sized(3, 1);
const RICH = 100_000_000_000;
/** Hours from the announcement to the notice, the last close and the end; five lots at 12.00, and what one is redeemed at. */
const END = { notice: 8, last: 9, matures: 10 };
const LOTS = 5;
const VALUE = 1_265_000;

let broker: OfferingBroker;
let members: number[];
beforeAll(async () => {
  broker = await openOfferings();
  members = [await newSubscriber(broker, RICH), await newSubscriber(broker, RICH)];
});
afterAll(() => broker.db.close());

/** A process with nothing but the clock of funds: it takes one from its notice to its end. @returns whether it died */
const liveOn = (db: Database, began: number): Promise<boolean> =>
  live(db, broker, async function* steps({ sequencer, ...process }) {
    const funds = new RaiseClock({ ...process, sequencer, alerts: { remove: () => undefined } });
    for (const hours of [END.notice, END.matures]) {
      broker.clock.now = Math.max(broker.clock.now, began + hours * HOUR_MS + 1);
      await funds.tick();
      yield await sequencer.idle();
    }
    funds.stop();
  });

/** A fund that both members hold, the first saves in and the second watches. */
async function holdFund(began: number): Promise<{ code: Code; stakes: string[] }> {
  const [saver = 0, watcher = 0] = members;
  const at = (hours: number) => epochMs(began + hours * HOUR_MS);
  const fund = { distributions: 0, yieldPerMillion: 0, indexCode: null, maturesAt: at(END.matures) };
  const code = Code.parse(await openFund(broker, saver, { fund: { ...fund, lastTradedAt: at(END.last), noticeAt: at(END.notice) } }));
  const instrument = broker.venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  instrument.tradesUntil = at(END.matures);
  const subscribed = await Promise.all(members.map((member) => subscribe(broker, member, code, { lots: LOTS })));
  broker.pass(HOURS.listed - HOURS.opens);
  await reaches(broker, saver, code, "listed");
  broker.venue.set(instrument.row, { bids: [[12.3, 1]], asks: [[12.5, 100]], last: 12.4, reference: 12.65 });
  const stakes = subscribed.map(({ stakeNo }) => stakeNo);
  for (const [nth, stakeNo] of stakes.entries()) await stakeIs(broker, members[nth] ?? 0, stakeNo, { status: "inProgress" });
  await startPlan(broker, saver, { code });
  await broker.call("setAlert", watcher, { id: RequestId.parse(randomUUID()), code, kind: "above", level: 200_000 });
  return { code, stakes };
}

/** What the end of a fund has left in the database. */
async function leftOf(code: string) {
  const [row] = await query<Record<string, unknown>>(
    broker.db.kysely,
    `SELECT (SELECT json_agg(stake.status || ' ' || reason) FROM stake JOIN offering USING (offering_no) WHERE code = $1) AS stakes,
       (SELECT json_agg(status || ' ' || close_cause || ' ' || close_cents) FROM "order" WHERE code = $1) AS positions,
       (SELECT count(*)::integer FROM ledger_tx JOIN "order" USING (order_no) WHERE "order".code = $1 AND ledger_tx.kind = 'redemption') AS paid,
       (SELECT json_agg(status) FROM savings_plan WHERE code = $1) AS plans,
       (SELECT json_agg(status) FROM alert WHERE code = $1) AS alerts,
       (SELECT json_agg(about || ' ' || n ORDER BY about) FROM (SELECT notice->>'about' AS about, count(*) AS n FROM message
         WHERE notice->'values'->>'code' = $1 GROUP BY 1) AS told) AS told`,
    [code],
  );
  return row;
}

it("may die at any statement, and everything happens once", async () => {
  let deaths = 0;
  const paidAtDeath = new Set<unknown>();
  for (let statements = 0; ; statements += STRIDE) {
    const began = broker.clock.now;
    const { code, stakes } = await holdFund(began);
    const before = await Promise.all(members.map((member) => moneyOf(broker, member)));
    await broker.stop();
    await broker.sequencer.idle();
    const hasDied = await liveOn(dyingAt(broker.db, statements), began);
    if (hasDied) {
      deaths += 1;
      paidAtDeath.add((await leftOf(code))?.["paid"]);
      expect(await liveOn(broker.db, began)).toBe(false);
    }
    broker = await openOfferings(broker);
    for (const [nth, stakeNo] of stakes.entries())
      await stakeIs(broker, members[nth] ?? 0, stakeNo, { status: "terminated", reason: "matured" });
    expect(await leftOf(code), `after ${statements} statements`).toEqual({
      stakes: ["terminated matured", "terminated matured"],
      positions: Array.from(members, () => `closed redemption ${LOTS * VALUE}`),
      paid: members.length,
      plans: ["ended"],
      alerts: ["withdrawn"],
      told: ["alertsEnded 1", `fundEnding ${members.length}`, "savingsEnded 1", `stakeAllotted ${members.length}`],
    });
    for (const [nth, member] of members.entries())
      expect(await moneyOf(broker, member)).toEqual({ ...before[nth], available: (before[nth]?.available ?? 0) + LOTS * VALUE });
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    if (!hasDied) break;
  }
  expect(deaths).toBeGreaterThan(sized(10, 30));
  // Before the redemptions, and between them and the end of the stakes.
  expect([...paidAtDeath]).toEqual(expect.arrayContaining([0, members.length]));
}, 600_000);
