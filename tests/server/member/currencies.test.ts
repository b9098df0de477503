/** Tests what a member sees of money in several currencies: the overview, the equity curve and the cash ledger. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Move } from "#server/ledger/ledger.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const DEPOSIT = 1_000_000_000;
const USD = INSTRUMENTS.length;
const JPY = USD + 1;
let broker: TestBroker;
beforeAll(async () => {
  const clock = { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
  const forex = { kind: "forex", board: "forex", tradable: false, shortable: false } as const;
  const pairs = [fakeInstrument(USD, "USDTWD", forex), fakeInstrument(JPY, "JPYTWD", forex)];
  broker = await openTestBroker({ clock, venue: fakeVenue([...INSTRUMENTS, ...pairs], () => clock.now) });
  quote(31.5);
  broker.venue.set(JPY, { bids: [[20.4, 1]], asks: [[20.6, 1]], last: 20.4, reference: 20 });
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const quote = (mid: number): void =>
  broker.venue.set(USD, { bids: [[mid - 0.05, 1]], asks: [[mid + 0.05, 1]], last: mid - 0.05, reference: 31 });
const overview = (memberId: number) => broker.call("readMember", memberId, {});
const curve = async (memberId: number) => (await broker.call("readCurve", memberId, { span: "day" })).points.at(-1);

/** Posts for a member, as a command of the sequencer does. */
const post = (memberId: number, kind: "conversion" | "transfer" | "deposit", moves: Move[], paidInCents?: number): Promise<void> =>
  broker.sequencer.submit({
    memberIds: [memberId],
    prepare: (tx, batch) => batch.ledger.openWallets(tx, [memberId], ["USD", "JPY"]),
    decide: (batch) => {
      batch.ledger.post({ memberId, kind, orderNo: null, moves, ...(paidInCents === undefined ? {} : { paidInCents }) });
    },
  });
const buyUsd = (memberId: number): Promise<void> =>
  post(memberId, "conversion", [
    { from: "available", to: "conversion", amount: 3_150_000 },
    { from: "conversion", to: "available", amount: 100_000, currency: "USD" },
  ]);

describe("money in other currencies", () => {
  it("counts in the total at the mid rate of now, and in the curve the same", async () => {
    const member = await broker.newMember();
    await buyUsd(member);
    expect(await overview(member)).toMatchObject({
      currency: HOME_CURRENCY,
      availableCents: DEPOSIT - 3_150_000,
      foreignCents: 3_150_000,
      usdCents: 100_000,
      totalCents: DEPOSIT,
    });
    quote(32);
    expect(await overview(member)).toMatchObject({ foreignCents: 3_200_000, totalCents: DEPOSIT + 50_000 });
    expect(await curve(member)).toMatchObject({ totalCents: DEPOSIT + 50_000, paidInCents: 0 });
    quote(31.5);
  });

  it("is paid in at the rate of its moment: a later change of the rate is profit, not a deposit", async () => {
    const member = await broker.newMember({ depositCents: 0 });
    await post(member, "deposit", [{ from: "external", to: "available", amount: 100_000, currency: "USD" }], 3_150_000);
    const paid = async () => {
      const [first, last] = (await broker.call("readCurve", member, { span: "year" })).points;
      return [first?.totalCents, last?.totalCents, last?.paidInCents];
    };
    quote(33);
    broker.clock.now += 1_000;
    expect(await paid()).toEqual([3_150_000, 3_300_000, 0]);
    quote(31.5);
  });

  it("counts every wallet, of yen by the hundred, and says what lies in the profit wallet", async () => {
    const member = await broker.newMember();
    await post(member, "transfer", [{ from: "available", to: "futures", amount: 1_000 }]);
    await post(member, "transfer", [{ from: "rewards", to: "profit", amount: 2_000 }]);
    await post(member, "deposit", [{ from: "external", to: "futures", amount: 10_000, currency: "JPY" }], 2_050);
    expect(await overview(member)).toMatchObject({
      availableCents: DEPOSIT - 1_000,
      walletsCents: 3_000,
      profitFundsCents: 2_000,
      realisedCents: 0,
      foreignCents: 2_050,
      usdCents: 0,
      totalCents: DEPOSIT + 2_000 + 2_050,
    });
  });

  it("is listed in the cash ledger by currency: a conversion is two entries", async () => {
    const member = await broker.newMember();
    await buyUsd(member);
    const { items } = await broker.call("listFlows", member, { kinds: ["conversion"], from: null, until: null, cursor: null });
    expect(items.map(({ currency, amountCents, balanceCents }) => [currency, amountCents, balanceCents])).toEqual([
      ["TWD", -3_150_000, DEPOSIT - 3_150_000],
      ["USD", 100_000, 100_000],
    ]);
    expect(new Set(items.map(({ flowNo }) => flowNo)).size).toBe(1);
  });

  it("is paged by transaction: no page ends between the two entries of one", async () => {
    const member = await broker.newMember();
    for (let n = 0; n < 51; n += 1) await buyUsd(member);
    const list = (cursor: string | null) => broker.call("listFlows", member, { kinds: ["conversion"], from: null, until: null, cursor });
    const first = await list(null);
    const second = await list(first.next);
    expect([first.items.length, second.items.length, second.next]).toEqual([100, 2, null]);
    expect(new Set([...first.items, ...second.items].map(({ flowNo }) => flowNo)).size).toBe(51);
  });
});
