/** Tests that dividends are owed from the ex-date on and paid once on their pay date, also to those who have sold since. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { inPairs } from "#tests/support/in-pairs.ts";
import { signByHand } from "#tests/support/signature.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { asks, lend, newId } from "#tests/server/lending/fixture.ts";
import { action, units } from "#tests/server/trading/ex-terms.ts";

const PAID_AFTER_DAYS = 28;

let broker: TestBroker;
let venue: FakeVenue;
let member: number;
let announced: CorporateAction[] = [];
const clock = { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
const today = (): number => taipeiDay(clock.now);

function calm(at: number): void {
  venue.set(0, { bids: [[at, 4000]], asks: [[at, 4000]], last: at, reference: at });
}

beforeAll(async () => {
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  venue = {
    ...plain,
    actions: async (code) => (code === "2330" ? announced.filter(({ at }) => at <= plain.state(clock.now).opensAt) : []),
  };
  venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
  broker = await openTestBroker({ venue, clock });
});
beforeEach(async () => {
  announced = [];
  clock.now = taipeiMidnight(today() + 60) + 3 * HOUR_MS;
  venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
  calm(100);
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

/** Begins the ex-date of a dividend of 3 a share, paid four weeks later. */
async function goEx(): Promise<CorporateAction> {
  const exDay = today() + 1;
  const dividend = {
    ...action("dividend", { cash: units(3) }, exDay),
    paysAt: epochMs(taipeiMidnight(exDay + PAID_AFTER_DAYS) + 10 * HOUR_MS),
  };
  announced.push(dividend);
  venue.set(0, { reference: dividend.reference / PRICE_ONE });
  clock.now = taipeiMidnight(exDay) + HOUR_MS;
  venue.setDay(taipeiMidnight(exDay), taipeiMidnight(exDay + 1));
  await broker.settled();
  return dividend;
}

const money = () => readBalances(broker.db.kysely, member);
const settle = (sequencer: Pick<Sequencer, "submit"> = broker.sequencer) =>
  settleDue({ db: broker.db, sequencer, now: () => clock.now, report: (fault) => broker.faults.push(fault) });
const notices = async () =>
  (await broker.call("listMessages", member, { cursor: null })).items.flatMap(({ notice }) => (notice ? [notice] : []));
const books = async () => expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);

describe("a dividend", () => {
  it("is a receivable from the ex-date on, told with its amount and day, and paid once", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await broker.place(member, { lots: 1 });
    const before = await money();
    const { at, paysAt } = await goEx();
    expect(await money()).toMatchObject({ available: before.available, unsettled: 900_000 });
    const { settlements } = await broker.call("listSettlements", member, {});
    expect(settlements).toMatchObject([
      { kind: "dividend", orderNo, tradedAt: at, dueAt: paysAt, amountCents: 600_000 },
      { amountCents: 300_000 },
    ]);
    expect((await notices()).filter(({ about }) => about === "dividendDue")).toMatchObject([
      { values: { code: "2330", amount: "9,000.00" } },
    ]);
    expect((await broker.call("readOrder", member, { orderNo })).order.dividendCents).toBe(600_000);
    await books();
    clock.now = (paysAt ?? 0) - 1;
    await settle();
    expect((await money()).unsettled).toBe(900_000);
    clock.now = paysAt ?? 0;
    // Two runs whose commands meet in one batch.
    const pairs = inPairs(broker.sequencer);
    await Promise.all([settle(pairs), settle(pairs)]);
    expect(await money()).toMatchObject({ available: before.available + 900_000, unsettled: 0 });
    expect((await notices()).filter(({ about }) => about === "dividendPaid")).toMatchObject([
      { values: { code: "2330", amount: "9,000.00" } },
    ]);
    await books();
  });

  it("belongs to who held before the ex-date: a later sale keeps it, a later purchase has none", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    const late = await broker.newMember();
    const { paysAt } = await goEx();
    calm(97);
    await broker.close(member, orderNo, { lots: 2 });
    await broker.place(late, { lots: 2 });
    const sold = await money();
    expect(sold.unsettled).toBe(600_000);
    clock.now = paysAt ?? 0;
    await settle();
    expect(await money()).toMatchObject({ available: sold.available + 600_000, unsettled: 0 });
    expect((await readBalances(broker.db.kysely, late)).unsettled).toBe(0);
    await books();
  });

  it("of lent shares is compensated by their borrowers on the ex-date, that of the others paid by the issuer on the pay date", async () => {
    await signByHand(broker, member, "lending");
    const { orderNo } = await broker.place(member, { lots: 5 });
    const { lendingNo } = await lend(broker, member, asks(broker), orderNo, 2);
    const before = await money();
    const { paysAt } = await goEx();
    expect(await money()).toMatchObject({ available: before.available + 600_000, unsettled: 900_000 });
    const { settlements } = await broker.call("listSettlements", member, {});
    expect(settlements).toMatchObject([{ kind: "dividend", orderNo, dueAt: paysAt, amountCents: 900_000 }]);
    expect((await broker.call("readOrder", member, { orderNo })).order.dividendCents).toBe(1_500_000);
    await books();
    // Shares that come back before the pay date change nothing of either.
    await broker.call("recallShares", member, { requestId: newId(), lendingNo });
    venue.setFeeDay(venue.feeDay(clock.now) + 3);
    await broker.settled();
    const back = await money();
    clock.now = paysAt ?? 0;
    await settle();
    expect(await money()).toMatchObject({ available: back.available + 900_000, unsettled: 0 });
    expect((await broker.call("readOrder", member, { orderNo })).order.dividendCents).toBe(1_500_000);
    await books();
  });

  it("is compensated by a short on the ex-date", async () => {
    await broker.place(member, { direction: "fall", lots: 2 });
    const before = await money();
    await goEx();
    expect(await money()).toMatchObject({ available: before.available - 600_000, unsettled: 0 });
    await books();
  });

  it("is paid at once when its pay date passed while the server was down", async () => {
    await broker.place(member, { lots: 1 });
    const before = await money();
    const exDay = today() + 1;
    announced.push({ ...action("dividend", { cash: units(3) }, exDay), paysAt: epochMs(taipeiMidnight(exDay + 2)) });
    clock.now += 5 * DAY_MS;
    venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
    await broker.settled();
    expect(await money()).toMatchObject({ available: before.available + 300_000, unsettled: 0 });
    await books();
  });
});
