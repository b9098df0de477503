/** Tests draws on a broker: a placement pro rata, a late draw that extends the time to pay, one bad row among good ones, and `ops draw verify`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyDraw } from "#contract/draw.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { setOfferingPrice } from "#server/offerings/announce.ts";
import { holdDraw } from "#server/offerings/draw.ts";
import { runCommand } from "#server/ops/run-command.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import type { Issue } from "#server/venue/issue.ts";
import { exportedRows } from "#tests/support/own-export.ts";
import { ROOT } from "#tests/support/tree.ts";
import {
  DELIVERY,
  DEPOSIT,
  FEE,
  HOURS,
  RICH,
  VALUE,
  apply,
  becomes,
  expectCleanBooks,
  moneyOf,
  newSubscriber,
  openOfferings,
  openWindow,
  pay,
  reaches,
  readSubscription,
} from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

let broker: OfferingBroker;
let a: number;
let b: number;
beforeAll(async () => {
  broker = await openOfferings();
  a = await newSubscriber(broker, 10 * RICH);
  b = await newSubscriber(broker, 10 * RICH);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Dates with a draw long after the close. */
function farDraw(): Partial<Issue> {
  const at = (hours: number) => epochMs(broker.clock.now + hours * HOUR_MS);
  return { drawnAt: at(20), payableUntil: at(21), allottedAt: at(22), tradesFrom: at(23) };
}

async function verify(which: string): Promise<{ exit: number; said: string[] }> {
  const said: string[] = [];
  const exit = await runCommand(broker.db, ["draw", "verify", which], (line) => void said.push(line), "test");
  return { exit, said };
}

it("gives a placement pro rata, keeps the deposit for what was won, and is paid for and delivered whole", async () => {
  const before = await moneyOf(broker, a);
  const { offeringNo, code } = await openWindow(broker, a, { kind: "placement", lots: 30 }, { lotsAsked: 30 });
  const [first, second] = [await apply(broker, a, offeringNo, { lots: 20 }), await apply(broker, b, offeringNo, { lots: 10 })];
  expect(first.depositCents).toBe(20 * DEPOSIT);
  broker.pass(1);
  await reaches(broker, a, code, "closed");
  broker.pass(1);
  const won = await becomes(broker, a, first.subscriptionNo, "won");
  // 60 lots for 30: half of each.
  expect(won).toMatchObject({ lots: 20, wonLots: 10, dueCents: 10 * VALUE, restCents: 10 * (VALUE - DEPOSIT), forfeitCents: 10 * DEPOSIT });
  expect(await becomes(broker, b, second.subscriptionNo, "won")).toMatchObject({ wonLots: 5 });
  const held = DELIVERY + 10 * DEPOSIT;
  expect(await moneyOf(broker, a)).toEqual({ available: before.available - FEE - held, reserved: held });
  const { offering } = await reaches(broker, a, code, "drawn");
  expect(offering).toMatchObject({ subscribedLots: 60, winningLots: 30, winningPerMillion: 500_000 });
  broker.clock.now = won.payableFrom ?? 0;
  await pay(broker, a, first.subscriptionNo);
  broker.clock.now = offering.allottedAt;
  await reaches(broker, a, code, "allotted");
  const { orderNo, status } = await readSubscription(broker, b, second.subscriptionNo);
  expect(status).toBe("paid");
  const position = (await broker.call("listPositions", b, {})).positions.find((one) => one.orderNo === orderNo);
  expect(position).toMatchObject({ code, filledLots: 5, lotShares: 1000, openCents: 5 * VALUE });
});

it("leaves as much time to pay after a draw that was held late, and delivers after it", async () => {
  const { offeringNo, code } = await openWindow(broker, a);
  const { subscriptionNo } = await apply(broker, a, offeringNo);
  await broker.stop();
  await broker.sequencer.idle();
  // The server is off beyond the draw and the deadline.
  broker.clock.now = (await reaches(broker, a, code, "open")).offering.drawnAt ?? 0;
  broker.pass(1.5);
  const now = broker.clock.now;
  broker = await openOfferings(broker);
  const won = await becomes(broker, a, subscriptionNo, "won");
  expect(won.payableUntil - now).toBe((HOURS.payable - HOURS.drawn) * 3_600_000);
  expect(won.payableFrom).toBeGreaterThan(now);
  expect(won.allottedAt).toBe(won.payableUntil);
  broker.clock.now = won.payableUntil;
  await reaches(broker, a, code, "allotted");
  expect(await readSubscription(broker, a, subscriptionNo)).toMatchObject({
    status: "paid",
    orderNo: expect.any(String) as string,
  });
});

it("goes on for the others where one application cannot be told, and repeats it later", async () => {
  const { offeringNo, code } = await openWindow(broker, a);
  const [good, bad] = [await apply(broker, a, offeringNo), await apply(broker, b, offeringNo)];
  broker.pass(1);
  await reaches(broker, a, code, "closed");
  // Its money is not there: releasing it would overdraw.
  const spoil = (cents: number) =>
    query(broker.db.kysely, "UPDATE subscription SET deposit_cents = deposit_cents + $2 WHERE subscription_no = $1", [
      bad.subscriptionNo,
      cents,
    ]);
  await spoil(1_000_000_000_000);
  broker.pass(1);
  await becomes(broker, a, good.subscriptionNo, "won");
  expect(broker.faults.length).toBeGreaterThan(0);
  expect((await readSubscription(broker, b, bad.subscriptionNo)).status).toBe("subscribing");
  await spoil(-1_000_000_000_000);
  // A tick that is on its way would count its wait from the later clock.
  await broker.tick();
  broker.clock.now += 11_000;
  await becomes(broker, b, bad.subscriptionNo, "won");
  broker.faults.length = 0;
});

/** The program in the README that repeats a lottery, run on a file as the phone saves it. @returns what it prints */
function repeatByReadme(published: unknown): string {
  const dir = mkdtempSync(join(tmpdir(), "draw-"));
  const program = /```js check-draw\.mjs\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "README.md"), "utf8"))?.[1] ?? "";
  expect(program.trim().split("\n")).toHaveLength(10);
  writeFileSync(join(dir, "check-draw.mjs"), program);
  writeFileSync(join(dir, "draw.json"), JSON.stringify(published));
  return execFileSync(process.execPath, [join(dir, "check-draw.mjs"), join(dir, "draw.json")], { encoding: "utf8" });
}

it("is repeated by the ten lines of the README from what is published, which see any change", async () => {
  const { offeringNo, code } = await openWindow(broker, a, { lots: 20 }, { applications: () => 40 });
  await apply(broker, a, offeringNo);
  await apply(broker, b, offeringNo);
  broker.pass(2);
  await reaches(broker, a, code, "drawn");
  const draw = await broker.call("readDraw", a, { offeringNo });
  const { items: entries } = await broker.call("listDrawEntries", a, { offeringNo, cursor: null });
  const winners = [...(verifyDraw(draw, entries)?.wonLots ?? [])].flatMap(([receipt, lots]) => (lots > 0 ? [receipt] : []));
  const said = repeatByReadme({ draw, entries });
  expect(said).toMatch(/^true true true true \[/);
  for (const { receipt } of entries) expect(said.includes(receipt)).toBe(winners.includes(receipt));
  expect(repeatByReadme({ draw, entries: entries.slice(1) })).toMatch(/^true true false false/);
  expect(repeatByReadme({ draw: { ...draw, secret: `${draw.secret}0` }, entries })).toMatch(/^false true true /);
  expect(repeatByReadme({ draw: { ...draw, crowdLots: 41 }, entries })).toMatch(/^true false false false/);
});

it("can be checked by the operator, who is told what differs", async () => {
  const { offeringNo, code } = await openWindow(broker, a, { lots: 1 }, { applications: () => 3 });
  await apply(broker, a, offeringNo);
  await apply(broker, b, offeringNo);
  broker.pass(2);
  await reaches(broker, a, code, "drawn");
  expect(await verify(code)).toMatchObject({ exit: 0 });
  const { exit, said } = await verify(offeringNo);
  expect({ exit, yes: said.filter((line) => line.startsWith("yes")).length }).toEqual({ exit: 0, yes: 5 });
  await query(broker.db.kysely, "UPDATE offering SET secret = 'another' WHERE offering_no = $1", [offeringNo]);
  const differing = await verify(offeringNo);
  expect(differing.exit).toBe(1);
  expect(differing.said[0]).toMatch(/^NO .*secret/);
  await query(
    broker.db.kysely,
    "UPDATE offering SET secret = (SELECT secret FROM offering_secret WHERE offering_no = $1) WHERE offering_no = $1",
    [offeringNo],
  );
  expect((await verify("S999999")).exit).toBe(2);
  const later = broker.announce();
  await reaches(broker, a, later, "upcoming");
  expect(await verify(later)).toMatchObject({ exit: 2 });
});

it("has its whole window after an auction whose bids were opened late", async () => {
  const at = epochMs(broker.clock.now);
  const hours = (count: number) => epochMs(at + count * HOUR_MS);
  // Its bids are not opened within this test.
  const auction = { opensAt: hours(50), closesAt: hours(51), openedAt: hours(52), minimumPrice: 40 * PRICE_ONE, lots: 40 };
  const code = broker.announce({ auction });
  const { offering: before } = await reaches(broker, a, code, "upcoming");
  // Half an hour after the window should have opened.
  broker.pass(HOURS.opens + 0.5);
  const late = broker.clock.now;
  await broker.db.transaction((tx) => setOfferingPrice(tx, broker.venue, { market: "fake", code }, 45 * PRICE_ONE, late));
  const { offering } = await reaches(broker, a, code, "open");
  expect(offering.opensAt).toBe(late);
  expect(offering.closesAt - offering.opensAt).toBe(before.closesAt - before.opensAt);
  expect(offering.tradesFrom).toBe(before.tradesFrom);
});

it("keeps what was drawn out of the member's own export until it is published", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  const exported = async () => (await exportedRows(broker, who, "subscription"))[0];
  const readRow = () => query<OfferingRecord>(broker.db.kysely, "SELECT * FROM offering WHERE offering_no = $1", [offeringNo]);
  await expect.poll(async () => (await readRow())[0]?.list_hash, { timeout: 30_000 }).not.toBeNull();
  const [row] = await readRow();
  if (!row) throw new Error("no offering");
  expect((await holdDraw(broker.db, row))?.winningLots).toBe(1);
  expect(await exported()).toMatchObject({ lots: 1, won_lots: null });
  expect(await exported()).not.toHaveProperty("id");
  broker.pass(1);
  await becomes(broker, who, subscriptionNo, "won");
  expect(await exported()).toMatchObject({ won_lots: 1 });
});

it("is seen by the audit when a winner, the list, a receipt, a number of lots or a position was changed", async () => {
  const { kysely } = broker.db;
  const { offeringNo, code } = await openWindow(broker, a, { lots: 1 });
  const [one, two] = [await apply(broker, a, offeringNo), await apply(broker, b, offeringNo)];
  broker.pass(1);
  await reaches(broker, a, code, "closed");
  broker.pass(1);
  await reaches(broker, a, code, "drawn");
  broker.pass(3);
  await reaches(broker, a, code, "listed");
  const differences = async () => (await auditBooks(kysely)).differences;
  expect(await differences()).toEqual([]);
  const of = `offering_no = '${offeringNo}'`;
  const both = `subscription_no IN ('${one.subscriptionNo}', '${two.subscriptionNo}')`;
  const tampered: [change: string, undo: string, seen: RegExp][] = [
    [`UPDATE offering SET winning_lots = 0 WHERE ${of}`, `UPDATE offering SET winning_lots = 1 WHERE ${of}`, /has drawn 0 of 1 lots/],
    [
      `UPDATE subscription SET won_lots = 1 WHERE ${both} AND status = 'notWon'`,
      `UPDATE subscription SET won_lots = 0 WHERE ${both} AND status = 'notWon'`,
      /members have won 2/,
    ],
    [`UPDATE offering SET applications = 3 WHERE ${of}`, `UPDATE offering SET applications = 2 WHERE ${of}`, /published 3 applications/],
    [
      `UPDATE subscription SET receipt = '${"0".repeat(64)}' WHERE subscription_no = '${one.subscriptionNo}'`,
      `UPDATE subscription SET receipt = '${one.receipt}' WHERE subscription_no = '${one.subscriptionNo}'`,
      /not that of its request/,
    ],
    [
      `UPDATE fill SET price = price + 100 WHERE order_no = (SELECT order_no FROM subscription WHERE ${both} AND status = 'paid')`,
      `UPDATE fill SET price = price - 100 WHERE order_no = (SELECT order_no FROM subscription WHERE ${both} AND status = 'paid')`,
      /its position has 1 lots/,
    ],
    [
      `UPDATE subscription SET due_cents = due_cents + 100, paid_cents = paid_cents + 100 WHERE ${both} AND status = 'paid'`,
      `UPDATE subscription SET due_cents = due_cents - 100, paid_cents = paid_cents - 100 WHERE ${both} AND status = 'paid'`,
      /owes 5000100/,
    ],
  ];
  for (const [change, undo, seen] of tampered) {
    await query(kysely, change);
    expect((await differences()).join("\n")).toMatch(seen);
    await query(kysely, undo);
  }
  expect(await differences()).toEqual([]);
});

it("is not published when not every winner could be written", async () => {
  const { kysely } = broker.db;
  const { offeringNo, code } = await openWindow(broker, a, { ...farDraw() });
  const { subscriptionNo } = await apply(broker, a, offeringNo);
  broker.pass(1);
  await reaches(broker, a, code, "closed");
  const readRow = async () => (await query<OfferingRecord>(kysely, "SELECT * FROM offering WHERE offering_no = $1", [offeringNo]))[0];
  await expect.poll(async () => (await readRow())?.list_hash, { timeout: 30_000 }).not.toBeNull();
  const row = await readRow();
  if (!row) throw new Error("no offering");
  const become = (status: string, end: number | null) =>
    query(
      kysely,
      "UPDATE subscription SET status = $2, ended_at = $3, reserved_cents = CASE WHEN $2 = 'voided' THEN 0 ELSE $4 END WHERE subscription_no = $1",
      [subscriptionNo, status, end, DEPOSIT + DELIVERY],
    );
  await become("voided", 1);
  await expect(holdDraw(broker.db, row)).rejects.toThrow("0 of 1 winners");
  await become("subscribing", null);
  expect((await holdDraw(broker.db, row))?.winningLots).toBe(1);
});
