/** Bank cards on a real broker: masked, one default, not shared, not removed while a withdrawal is on its way. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_CARDS } from "#contract/bank-card.ts";
import { addCard as addToBatch, prepareCards } from "#server/accounts/bank-card.ts";
import type { CardsInBatch } from "#server/accounts/bank-card.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { addCard, expectCleanBooks, newId, newPayee, setFundPassword, withdraw } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

async function newMember(): Promise<number> {
  const member = await broker.newMember();
  await setFundPassword(broker, member);
  return member;
}

it("shows the last digits and the masked holder only", async () => {
  const member = await newMember();
  await addCard(broker, member, { cardNumber: "123456789012" });
  const reply = await broker.call("listCards", member, {});
  expect(reply).toMatchObject({ holder: "王*明", cards: [{ holder: "王*明", number: "•••• 9012", bankCode: "004", isDefault: true }] });
  expect(JSON.stringify(reply)).not.toContain("12345678");
});

it("keeps one default card", async () => {
  const member = await newMember();
  const first = await addCard(broker, member);
  const second = await addCard(broker, member);
  await broker.call("setDefaultCard", member, { requestId: newId(), cardId: second.cardId });
  const defaults = async () =>
    (await broker.call("listCards", member, {})).cards.filter(({ isDefault }) => isDefault).map(({ cardId }) => cardId);
  expect(await defaults()).toEqual([second.cardId]);
  await broker.call("removeCard", member, { requestId: newId(), cardId: second.cardId });
  expect(await defaults()).toEqual([first.cardId]);
});

it("keeps one default card when two are removed at once", async () => {
  const member = await newMember();
  const first = await addCard(broker, member);
  const second = await addCard(broker, member);
  const third = await addCard(broker, member);
  const remove = (cardId: string) => broker.call("removeCard", member, { requestId: newId(), cardId });
  await Promise.all([remove(first.cardId), remove(second.cardId)]);
  expect(await broker.call("listCards", member, {})).toMatchObject({ cards: [{ cardId: third.cardId, isDefault: true }] });
  const fourth = await addCard(broker, member);
  await Promise.all([
    broker.call("setDefaultCard", member, { requestId: newId(), cardId: fourth.cardId }),
    broker.call("removeCard", member, { requestId: newId(), cardId: fourth.cardId }),
  ]);
  expect(await broker.call("listCards", member, {})).toMatchObject({ cards: [{ cardId: third.cardId, isDefault: true }] });
});

it("takes an account once when two members add it in one batch", async () => {
  const members = [await newMember(), await newMember()];
  const body = { bankCode: "004", branch: "台北分行", branchCode: "0037", cardNumber: "77776666555544" };
  const both = await Promise.allSettled(
    members.map((member) => {
      let read: CardsInBatch | null = null;
      return broker.sequencer.submit({
        memberIds: [member],
        prepare: async (tx, batch) => {
          read = await prepareCards(tx, batch, member, body);
        },
        decide: (batch) => read && addToBatch(batch, member, { requestId: newId(), ...body }, read),
      });
    }),
  );
  expect(both).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "CARD_EXISTS" } }]);
});

it("refuses an account twice, until it is removed", async () => {
  const member = await newMember();
  const { cardId } = await addCard(broker, member, { cardNumber: "55556666777788" });
  expect(await refusalOf(addCard(broker, member, { cardNumber: "55556666777788" }))).toMatchObject({
    code: "CARD_EXISTS",
    field: "cardNumber",
  });
  expect(await refusalOf(addCard(broker, await newMember(), { cardNumber: "55556666777788" }))).toMatchObject({ code: "CARD_EXISTS" });
  await broker.call("removeCard", member, { requestId: newId(), cardId });
  await addCard(broker, await newMember(), { cardNumber: "55556666777788" });
});

it("refuses one member the card of another", async () => {
  const { cardId } = await addCard(broker, await newMember());
  const thief = await newMember();
  for (const name of ["removeCard", "setDefaultCard"] as const) {
    expect(await refusalOf(broker.call(name, thief, { requestId: newId(), cardId }))).toMatchObject({ code: "CARD_NOT_OWNED" });
    expect(await refusalOf(broker.call(name, thief, { requestId: newId(), cardId: "B99999999" }))).toMatchObject({
      code: "CARD_NOT_FOUND",
    });
  }
});

it("cannot be removed while a withdrawal is on its way to it", async () => {
  const payee = await newPayee(broker);
  await withdraw(broker, payee);
  expect(await refusalOf(broker.call("removeCard", payee.member, { requestId: newId(), cardId: payee.cardId }))).toMatchObject({
    code: "CARD_IN_USE",
  });
});

it("needs a verified identity and the fund password", async () => {
  const unverified = await broker.newMember({ identity: "unverified" });
  await setFundPassword(broker, unverified);
  expect(await refusalOf(addCard(broker, unverified))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
  expect(await refusalOf(addCard(broker, await broker.newMember()))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
  expect(await refusalOf(addCard(broker, await newMember(), { fundPassword: "000000" }))).toMatchObject({ code: "PWD_FUND_WRONG" });
});

it("are limited in number", async () => {
  const member = await newMember();
  for (let n = 0; n < MAX_CARDS; n += 1) await addCard(broker, member);
  expect(await refusalOf(addCard(broker, member))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: MAX_CARDS } });
});
