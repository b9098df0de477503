/** Tests that of one member's deposits, withdrawals, conversions, transfers and loans one is decided at a time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { onOwnBatch } from "#tests/support/own-batch.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import { openCurrencyBroker } from "#tests/server/accounts/fixture.ts";
import type { CurrencyBroker } from "#tests/server/accounts/fixture.ts";
import { expectCleanBooks, newId, newPayee, newProof } from "./fixture.ts";
import type { Payee } from "./fixture.ts";

let broker: CurrencyBroker;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const transfer = ({ member }: Payee, amount = 1_000, requestId = newId()) =>
  broker.call("transferFunds", member, { requestId, currency: "TWD", from: "securities", to: "profit", amount });
const quote = ({ member }: Payee) => broker.call("quoteConversion", member, { from: "TWD", to: "USD", side: "sell", amount: 100_000 });
const convert = ({ member }: Payee, quoteId: string) => broker.call("acceptConversion", member, { requestId: newId(), quoteId });
const BUSY = { status: "rejected", reason: { code: "FUND_OP_IN_PROGRESS", field: undefined } };

it("refuses what another device of the member asks at the same moment, whatever it is, and takes it afterwards", async () => {
  const payee = await newPayee(broker);
  const { quoteId } = await quote(payee);
  const proofId = await newProof(broker, payee.member);
  const pay = () =>
    broker.call("submitDeposit", payee.member, {
      requestId: newId(),
      channelId: "transfer",
      amount: 10_000,
      channelPassword: null,
      proofId,
    });
  expect(await Promise.allSettled([transfer(payee), convert(payee, quoteId)])).toMatchObject([{ status: "fulfilled" }, BUSY]);
  expect(await Promise.allSettled([convert(payee, quoteId), transfer(payee)])).toMatchObject([{ status: "fulfilled" }, BUSY]);
  expect(await transfer(payee)).toMatchObject({ amountCents: 1_000 });
  expect(await pay()).toMatchObject({ status: "pending" });
});

it("refuses until the first is answered, even where that one is refused, and nobody else", async () => {
  const [payee, other] = [await newPayee(broker), await newPayee(broker)];
  const asked = [transfer(payee, 900_000_000_000), transfer(payee), transfer(other)];
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: "rejected", reason: { code: "FUND_TRANSFER_INSUFFICIENT" } },
    BUSY,
    { status: "fulfilled" },
  ]);
  expect(await transfer(payee)).toMatchObject({ amountCents: 1_000 });
});

it("refuses what arrives while the first is being decided, not only what is decided together with it", async () => {
  const payee = await newPayee(broker);
  const others: Promise<unknown>[] = [];
  const stop = onOwnBatch(broker, payee.member, () => {
    if (others.length === 0) others.push(transfer(payee));
  });
  await transfer(payee);
  stop();
  expect(await Promise.allSettled(others)).toMatchObject([BUSY]);
});

it("counts no refused one against the rate limit", async () => {
  const slow = await openTestBroker({ commandsPerSecond: 2 });
  try {
    const member = await slow.newMember();
    const move = () =>
      slow.call("transferFunds", member, { requestId: newId(), currency: "TWD", from: "securities", to: "profit", amount: 1_000 });
    expect((await Promise.allSettled([move(), move(), move(), move()])).map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
    ]);
    await move();
    await expect(move()).rejects.toMatchObject({ code: "GEN_TOO_FREQUENT" });
  } finally {
    await slow.shut();
  }
});

it("answers a request id that has acted before, beside another operation or itself", async () => {
  const payee = await newPayee(broker);
  const requestId = newId();
  const [first, same] = await Promise.all([transfer(payee, 2_000, requestId), transfer(payee, 2_000, requestId)]);
  expect(same).toEqual(first);
  const [, again] = await Promise.all([transfer(payee, 3_000), transfer(payee, 2_000, requestId)]);
  expect(again).toEqual(first);
});
