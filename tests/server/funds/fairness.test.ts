/** Fund raisings that others could spoil: split subscriptions, subscriptions without end, closed channels, failing rows and markets that are gone. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { MOST_STAKES } from "#contract/raise.ts";
import { query } from "#server/db/database.ts";
import { moveOffering } from "#server/offerings/phase.ts";
import { allotStakes } from "#server/offerings/raise-allotment.ts";
import { moveRaise } from "#server/offerings/raise.ts";
import { RaiseClock } from "#server/offerings/raise-clock.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { SELECT_RAISE } from "#server/records/raise.ts";
import type { RaiseRecord } from "#server/records/raise.ts";
import { HOURS, openOfferings } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { expectCleanBooks, moneyOf, newSubscriber, openFund, reaches, stakeIs, subscribe, withdraw } from "./fixture.ts";

const RICH = 1_000_000_000;

let broker: OfferingBroker;
beforeAll(async () => {
  broker = await openOfferings();
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const close = () => broker.pass(HOURS.closes - HOURS.opens);
const phaseOf = async (code: string): Promise<string | undefined> =>
  (await query<{ phase: string }>(broker.db.kysely, "SELECT phase FROM offering WHERE code = $1", [code]))[0]?.phase;
const raiseOf = async (code: string): Promise<RaiseRecord> => {
  const [row] = await query<RaiseRecord>(broker.db.kysely, `${SELECT_RAISE} WHERE o.code = $1`, [code]);
  if (!row) throw new Error(`no raising of ${code}`);
  return row;
};

/** Runs work while no clock ticks. */
async function withoutClocks(work: () => Promise<void>): Promise<void> {
  await broker.stop();
  await broker.sequencer.idle();
  await work();
  broker = await openOfferings(broker);
}

it("gives who splits a subscription no more than who does not", async () => {
  const members = [];
  for (let nth = 0; nth < 5; nth += 1) members.push(await newSubscriber(broker));
  const [splitter = 0, ...others] = members;
  // 125 lots for 100: a stake of 2 is 1.6, one of 8 is 6.4. By stake, all five units that are left would go to the five stakes of 2.
  const code = await openFund(broker, splitter, { lots: 100 }, 83);
  const split = [];
  for (let nth = 0; nth < 5; nth += 1) split.push(await subscribe(broker, splitter, code, { lots: 2 }));
  for (const member of others) await subscribe(broker, member, code, { lots: 8 });
  close();
  await reaches(broker, splitter, code, "raised");
  const given = await Promise.all(split.map(async ({ stakeNo }) => stakeIs(broker, splitter, stakeNo, { status: "subscribed" })));
  expect(given.map(({ allottedLots }) => allottedLots)).toEqual([2, 2, 2, 1, 1]);
});

it("decides only what was reckoned for the stakes as they are", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const { stakeNo } = await subscribe(broker, member, code);
  await withoutClocks(async () => {
    close();
    const row = await raiseOf(code);
    await expect(broker.sequencer.submit(moveRaise(row.offering_no))).rejects.toThrow("what was reckoned");
    const reckoned = await allotStakes(broker.db, row);
    expect(reckoned).toEqual({ asked: 5, given: 5 });
    await expect(broker.sequencer.submit(moveRaise(row.offering_no, { ...reckoned, given: 6 }))).rejects.toThrow("what was reckoned");
    expect((await raiseOf(code)).status).toBe("raising");
    broker.faults.length = 0;
  });
  await stakeIs(broker, member, stakeNo, { allottedLots: 5 });
});

it("is a failed offering too, whichever clock is first, also after a time without a server", async () => {
  const member = await newSubscriber(broker);
  for (const phase of ["open", "closed", "allotted", "listed"]) {
    const code = await openFund(broker, member, {}, 20);
    await withoutClocks(async () => {
      broker.pass(HOURS.listed);
      await query(broker.db.kysely, "UPDATE offering SET phase = $2 WHERE code = $1", [code, phase]);
      const row = await raiseOf(code);
      await broker.sequencer.submit(moveRaise(row.offering_no));
    });
    await broker.tick();
    expect(await phaseOf(code), phase).toBe("failed");
  }
});

it.each(["raise first", "offering first"])("fails in one batch with the step of the offering's own clock: %s", async (order) => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member, {}, 20);
  await withoutClocks(async () => {
    close();
    const [offering] = await query<OfferingRecord>(broker.db.kysely, "SELECT * FROM offering WHERE code = $1", [code]);
    if (!offering) throw new Error(`no offering of ${code}`);
    const steps = [moveRaise(offering.offering_no), moveOffering(offering, "offering.closed")];
    if (order === "offering first") steps.reverse();
    await Promise.all(steps.map((step) => broker.sequencer.submit(step)));
    await broker.settled();
    // A batch that fails as a whole is repeated step by step, and reported.
    expect(broker.faults).toEqual([]);
  });
  expect(await phaseOf(code)).toBe("failed");
});

it("takes so many subscriptions of a member, and reads only those that count", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const { stakeNo } = await subscribe(broker, member, code);
  await withdraw(broker, member, stakeNo);
  const columns = `member_id, offering_no, gen_random_uuid(), status, lots, allotted_lots, result_at, price, value_cents, fee_cents,
    reserved_cents, reason, subscribed_at, ended_at, order_no, version FROM stake`;
  await query(
    broker.db.kysely,
    `INSERT INTO stake SELECT 'E' || (900000 + n), 900000 + n, ${columns}, generate_series(1, $2::integer) AS n WHERE stake_no = $1`,
    [stakeNo, MOST_STAKES - 2],
  );
  const both = await Promise.allSettled([subscribe(broker, member, code, { lots: 2 }), subscribe(broker, member, code, { lots: 2 })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await refusalOf(subscribe(broker, member, code))).toMatchObject({
    code: "GEN_LIST_FULL",
    params: { n: MOST_STAKES },
    field: "code",
  });
});

it("takes no subscription where the broker takes none for funds", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  await query(broker.db.kysely, `INSERT INTO rule (part, member_id, body) VALUES ('offering', $1, '{"channels": ["share"]}')`, [member]);
  await broker.sequencer.rules.reload(broker.db.kysely);
  expect(await refusalOf(subscribe(broker, member, code))).toMatchObject({ code: "TRD_RAISE_ENDED", field: "code" });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH, reserved: 0, held: 0 });
});

it("gives everything back when its market is gone: during the window, after the close, and at the delivery", async () => {
  const toOther = (code: string) => query(broker.db.kysely, "UPDATE offering SET market = 'another' WHERE code = $1", [code]);
  const waits = { window: null, close: "raised", delivery: "told" } as const;
  for (const [name, until] of Object.entries(waits)) {
    const member = await newSubscriber(broker);
    const code = await openFund(broker, member);
    const { stakeNo } = await subscribe(broker, member, code);
    if (until === "told") {
      close();
      await stakeIs(broker, member, stakeNo, { allottedLots: 5 });
    }
    await withoutClocks(async () => {
      if (until === "raised") {
        close();
        const row = await raiseOf(code);
        await broker.sequencer.submit(moveRaise(row.offering_no, await allotStakes(broker.db, row)));
      }
      if (until === "told") broker.pass(HOURS.allotted - HOURS.closes);
      await toOther(code);
    });
    await stakeIs(broker, member, stakeNo, { status: "returned", reason: "failed", orderNo: null });
    expect(await moneyOf(broker, member), name).toEqual({ available: RICH, reserved: 0, held: 0 });
  }
});

it("tries a stake that fails less and less often, and delivers the others meanwhile", async () => {
  const [member, other] = [await newSubscriber(broker), await newSubscriber(broker)];
  const code = await openFund(broker, member);
  const [bad, good] = [await subscribe(broker, member, code), await subscribe(broker, other, code)];
  await withoutClocks(async () => {
    close();
    await query(
      broker.db.kysely,
      `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$`,
    );
    const when = `WHEN (new.stake_no = '${bad.stakeNo}' AND new.version <> old.version)`;
    await query(broker.db.kysely, `CREATE TRIGGER broken BEFORE UPDATE ON stake FOR EACH ROW ${when} EXECUTE FUNCTION broken()`);
    const faults: unknown[] = [];
    const { db, venue, sequencer, clock, alerts } = broker;
    const raises = new RaiseClock({ db, venue, sequencer, alerts, now: () => clock.now, report: (fault) => faults.push(fault) });
    for (let tick = 1; tick <= 16; tick += 1) await raises.tick();
    // At the 1st tick, and 1, 2, 4 and 8 ticks after the one before.
    expect(faults).toHaveLength(5);
    raises.stop();
    const { items } = await broker.call("listStakes", other, { cursor: null });
    expect(items).toMatchObject([{ stakeNo: good.stakeNo, allottedLots: 5 }]);
    await query(broker.db.kysely, "DROP FUNCTION broken CASCADE");
    broker.faults.length = 0;
  });
  await stakeIs(broker, member, bad.stakeNo, { allottedLots: 5 });
});

it("reads nothing of the raisings in a tick in which none is due", async () => {
  const member = await newSubscriber(broker);
  await openFund(broker, member);
  await broker.tick();
  const { db, venue, sequencer, clock } = broker;
  let asked = 0;
  const kysely = new Proxy(db.kysely, {
    get(target, key): unknown {
      if (key === "executeQuery") asked += 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const raises = new RaiseClock({ db: { ...db, kysely }, venue, sequencer, alerts: broker.alerts, now: () => clock.now });
  await raises.tick();
  expect(asked).toBeGreaterThan(1);
  asked = 0;
  await raises.tick();
  raises.stop();
  // What was announced since.
  expect(asked).toBe(1);
});
