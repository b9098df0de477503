/** Deposits in USDT on a real broker: registered wallets, quotes, transactions used once, and one credit in US dollars. */
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { cryptoDepositEndpoints } from "#contract/crypto-deposit.ts";
import type { Body } from "#contract/endpoints.ts";
import { checkedAddress } from "#server/accounts/address-checksum.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openCurrencyBroker } from "#tests/server/accounts/fixture.ts";
import type { CurrencyBroker } from "#tests/server/accounts/fixture.ts";
import { refusalOf, openTestBroker } from "#tests/support/trading.ts";
import { depositBecomes, expectCleanBooks, FUND_PASSWORD, newId, newProof, pass, setFunding, setFundPassword } from "./fixture.ts";

let broker: CurrencyBroker;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const twice = (bytes: Buffer): Buffer => createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest();

/** Draws a Tron address with its checksum. */
function newTron(): string {
  const body = Buffer.concat([Buffer.from([0x41]), randomBytes(20)]);
  let value = BigInt(`0x${Buffer.concat([body, twice(body).subarray(0, 4)]).toString("hex")}`);
  let text = "";
  for (; value > 0n; value /= 58n) text = `${LETTERS[Number(value % 58n)]}${text}`;
  return text;
}
const newHash = (): string => randomBytes(32).toString("hex");

async function newMember(): Promise<number> {
  const member = await broker.newMember({ depositCents: 0 });
  await setFundPassword(broker, member);
  return member;
}
const register = (member: number, over: Partial<Body<"addAddress">> = {}) =>
  broker.call("addAddress", member, { requestId: newId(), network: "trc20", address: newTron(), fundPassword: FUND_PASSWORD, ...over });
const remove = (member: number, addressId: string) => broker.call("removeAddress", member, { requestId: newId(), addressId });
const ask = (member: number, over: Partial<Body<"quoteDeposit">> = {}) =>
  broker.call("quoteDeposit", member, { channelId: "usdtTrc20", amount: 1_000, ...over });
async function pay(member: number, over: Partial<Body<"submitCryptoDeposit">>) {
  const proofId = over.proofId === undefined ? await newProof(broker, member) : over.proofId;
  const body = { requestId: newId(), quoteId: newId(), addressId: "A1", txHash: newHash(), ...over, proofId };
  return broker.call("submitCryptoDeposit", member, body);
}
const usdOf = async (member: number): Promise<number> => (await readBalances(broker.db.kysely, member, "USD")).available;

/** A member with a registered wallet. */
async function newPayer(): Promise<{ member: number; addressId: string; address: string }> {
  const member = await newMember();
  return { member, ...(await register(member)) };
}

it("is credited once in US dollars, at its quote, on the bank's word", async () => {
  const { member, addressId, address } = await newPayer();
  const quote = await ask(member);
  expect(quote).toMatchObject({ amount: 1_000, currency: "USD", creditCents: 99_500, rate: "0.9950", network: "trc20" });
  expect(quote.expiresAt - quote.quotedAt).toBe(15_000);
  const requestId = newId();
  const txHash = newHash();
  const proofId = await newProof(broker, member);
  const send = () => pay(member, { requestId, quoteId: quote.quoteId, addressId, txHash, proofId });
  const [one, again] = await Promise.all([send(), send()]);
  expect(again).toEqual(one);
  expect(one).toMatchObject({ status: "pending", sender: address, txHash, creditCents: 99_500, currency: "USD", paid: "USDT" });
  pass(broker, 6);
  await depositBecomes(broker, member, one.depositNo, "processing");
  expect(await usdOf(member)).toBe(0);
  pass(broker, 4);
  await depositBecomes(broker, member, one.depositNo, "credited");
  expect(await usdOf(member)).toBe(99_500);
  expect(await refusalOf(pay(member, { quoteId: quote.quoteId, addressId }))).toMatchObject({ code: "CUR_QUOTE_EXPIRED" });
  const thief = await newPayer();
  const { quoteId } = await ask(thief.member);
  const used = { quoteId, addressId: thief.addressId, txHash };
  expect(await refusalOf(pay(thief.member, used))).toMatchObject({ code: "FUND_TX_USED", field: "txHash" });
});

describe("a quote", () => {
  it("is over after its seconds, when another is asked for, and for everybody else", async () => {
    const { member, addressId } = await newPayer();
    const first = await ask(member);
    const second = await ask(member);
    const over = { code: "CUR_QUOTE_EXPIRED" };
    expect(await refusalOf(pay(member, { quoteId: first.quoteId, addressId }))).toMatchObject(over);
    const other = await newPayer();
    expect(await refusalOf(pay(other.member, { quoteId: second.quoteId, addressId: other.addressId }))).toMatchObject(over);
    pass(broker, 16);
    expect(await refusalOf(pay(member, { quoteId: second.quoteId, addressId }))).toMatchObject(over);
  });

  it("is refused at the amount, without a price, and while a deposit is on its way", async () => {
    const { member, addressId } = await newPayer();
    expect(await refusalOf(ask(member, { amount: 19 }))).toMatchObject({ code: "FUND_DEPOSIT_MIN", field: "amount" });
    expect(await refusalOf(ask(member, { amount: 100_001 }))).toMatchObject({ code: "FUND_DEPOSIT_MAX", field: "amount" });
    expect(await refusalOf(ask(member, { channelId: "transfer" }))).toMatchObject({ code: "GEN_NOT_FOUND", field: "channelId" });
    await setFunding(broker, member, { dailyCents: 1_000_000 as never });
    expect(await refusalOf(ask(member))).toMatchObject({ code: "FUND_DEPOSIT_DAILY", field: "amount" });
    const { quoteId } = await ask(member, { amount: 20 });
    await pay(member, { quoteId, addressId });
    expect(await refusalOf(ask(member, { amount: 20 }))).toMatchObject({ code: "FUND_DEPOSIT_PENDING" });
    const unpriced = await openTestBroker();
    const id = await unpriced.newMember();
    expect(await refusalOf(unpriced.call("quoteDeposit", id, { channelId: "usdtTrc20", amount: 20 }))).toMatchObject({
      code: "CUR_NOT_OPEN",
    });
    await unpriced.shut();
  });
});

describe("a transaction", () => {
  it("is refused at its field: another's wallet, one of the other network, a hash of the other network, no proof", async () => {
    const { member, addressId } = await newPayer();
    const other = await newPayer();
    const { addressId: ether } = await register(member, { network: "erc20", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    const { quoteId } = await ask(member);
    const tries: [Partial<Body<"submitCryptoDeposit">>, string, string][] = [
      [{ addressId: other.addressId }, "WAL_NOT_FOUND", "addressId"],
      [{ addressId: "A999999" }, "WAL_NOT_FOUND", "addressId"],
      [{ addressId: ether }, "WAL_NOT_FOUND", "addressId"],
      [{ addressId, txHash: `0x${newHash()}` }, "VAL_TX_HASH", "txHash"],
      [{ addressId, proofId: null }, "VAL_PROOF_REQUIRED", "proofId"],
      [{ addressId, proofId: await newProof(broker, other.member) }, "GEN_UPLOAD_RESELECT", "proofId"],
    ];
    for (const [over, code, field] of tries) expect(await refusalOf(pay(member, { quoteId, ...over }))).toMatchObject({ code, field });
  });

  it("counts once when two members report it in one batch", async () => {
    const payers = [await newPayer(), await newPayer()];
    const txHash = newHash();
    const bodies = await Promise.all(
      payers.map(async ({ member, addressId }) => ({
        member,
        over: { addressId, txHash, quoteId: (await ask(member)).quoteId, proofId: await newProof(broker, member) },
      })),
    );
    const both = await Promise.allSettled(bodies.map(({ member, over }) => pay(member, over)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "FUND_TX_USED" } });
  });

  it("is not lost when the process is killed, and credited once", async () => {
    const { member, addressId } = await newPayer();
    const { quoteId } = await ask(member);
    const { depositNo } = await pay(member, { quoteId, addressId });
    await broker.stop();
    pass(broker, 6);
    const next = await openTestBroker({ db: broker.db, clock: broker.clock, venue: broker.venue });
    await depositBecomes(next, member, depositNo, "processing");
    pass(next, 4);
    await depositBecomes(next, member, depositNo, "credited");
    expect(await usdOf(member)).toBe(99_500);
    expect(next.faults).toEqual([]);
    await next.stop();
    broker = { ...(await openTestBroker({ db: broker.db, clock: broker.clock, venue: broker.venue })), quote: broker.quote };
  });
});

it("takes a hash in any case and with blanks around it", () => {
  const body = { requestId: newId(), quoteId: newId(), addressId: "A1", proofId: null };
  const txHash = newHash();
  expect(z.parse(cryptoDepositEndpoints.submitCryptoDeposit.body, { ...body, txHash: ` ${txHash.toUpperCase()} ` }).txHash).toBe(txHash);
});

describe("a wallet address", () => {
  it("is one spelling with the right checksum", () => {
    const tron = "TDQaL8BvzsEdUybbPEzduyP7NnKKw7Btxh";
    const ether = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    expect(checkedAddress("trc20", tron)).toBe(tron);
    expect(checkedAddress("trc20", `${tron.slice(0, -1)}j`)).toBeNull();
    for (const spelling of [ether, ether.toLowerCase(), `0x${ether.slice(2).toUpperCase()}`]) {
      expect(checkedAddress("erc20", spelling)).toBe(ether);
    }
    expect(checkedAddress("erc20", ether.replace("aA", "Aa"))).toBeNull();
    for (let n = 0; n < 20; n += 1) expect(checkedAddress("trc20", newTron())).not.toBeNull();
  });

  it("is refused at its field when it is wrong, taken in any spelling, or paid in from by another", async () => {
    const address = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    const [first, second] = [await newMember(), await newMember()];
    const { addressId } = await register(first, { network: "erc20", address });
    for (const over of [{ network: "erc20", address: address.toLowerCase() } as const, { network: "erc20", address } as const]) {
      expect(await refusalOf(register(second, over))).toMatchObject({ code: "WAL_EXISTS", field: "address" });
    }
    expect(await refusalOf(register(second, { address: `${newTron().slice(0, -2)}11` }))).toMatchObject({
      code: "WAL_INVALID",
      field: "address",
    });
    const { quoteId } = await ask(first, { channelId: "usdtErc20" });
    await pay(first, { quoteId, addressId, txHash: `0x${newHash()}` });
    await remove(first, addressId);
    expect(await refusalOf(register(second, { network: "erc20", address }))).toMatchObject({ code: "WAL_EXISTS" });
    await register(first, { network: "erc20", address });
  });

  it("goes to one of two members who register it at once", async () => {
    const address = newTron();
    const members = [await newMember(), await newMember()];
    const both = await Promise.allSettled(members.map((member) => register(member, { address })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("needs the fund password, slows withdrawals, is removed by its member only, and is limited in number", async () => {
    const { member, addressId } = await newPayer();
    expect(await refusalOf(register(member, { fundPassword: "000000" }))).toMatchObject({ code: "PWD_FUND_WRONG", field: "fundPassword" });
    expect(await refusalOf(register(await broker.newMember()))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
    const facts = await readMemberFacts(broker.db.kysely, member, { rules: broker.sequencer.rules, now: () => broker.clock.now });
    expect(facts.slowedUntil).toBeGreaterThan(broker.clock.now);
    for (const id of [addressId, "A999999"]) {
      expect(await refusalOf(remove(await newMember(), id))).toMatchObject({ code: "WAL_NOT_FOUND" });
    }
    await setFunding(broker, member, { maxAddresses: 2 });
    const two = await Promise.allSettled([register(member), register(member)]);
    expect(two.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(register(member))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: 2 } });
    const both = await Promise.allSettled([remove(member, addressId), remove(member, addressId)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await broker.call("listAddresses", member, {})).toMatchObject({ addresses: [{ network: "trc20" }], most: 2 });
    const rows = await query(broker.db.kysely, "SELECT FROM wallet_address WHERE member_id = $1", [member]);
    expect(rows).toHaveLength(2);
  });
});
