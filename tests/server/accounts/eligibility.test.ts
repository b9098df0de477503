/**
 * Tests that blocks are told first: for members who lack any two things, in one process, the server refuses each act with the first thing
 * that the button and the checklist name for the facts the member reads, and with none of them where nothing is missing.
 */
import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACTS, eligibilityRefusals, missingFor, RESTRICTIONS } from "#contract/eligibility.ts";
import type { Act, FactsFor, MemberFacts, Restriction } from "#contract/eligibility.ts";
import { IDENTITY_STATUSES } from "#contract/identity.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

/** What a member lacks. */
interface Lack {
  identity?: IdentityStatus;
  restrictions?: readonly Restriction[];
  fundPassword?: false;
  agreements?: false;
  card?: false;
  debt?: true;
  slowed?: true;
  minor?: true;
}
const LACKS: readonly Lack[] = [
  ...IDENTITY_STATUSES.filter((status) => status !== "verified").map((identity) => ({ identity })),
  ...RESTRICTIONS.map((restriction) => ({ restrictions: [restriction] })),
  { fundPassword: false },
  { agreements: false },
  { card: false },
  { debt: true },
  { slowed: true },
  { minor: true },
];
const EVERYTHING: Lack = {
  identity: "rejected",
  restrictions: RESTRICTIONS,
  fundPassword: false,
  agreements: false,
  card: false,
  debt: true,
  slowed: true,
  minor: true,
};

/** Nothing, each thing alone, each two things, and everything. */
const COMBINATIONS: readonly Lack[] = [
  {},
  ...LACKS.flatMap((one, at) =>
    LACKS.slice(at).map((other) => ({
      ...one,
      ...other,
      restrictions: [...new Set([...(one.restrictions ?? []), ...(other.restrictions ?? [])])],
    })),
  ),
  EVERYTHING,
];

const CARD = `INSERT INTO bank_card (member_id, bank_code, branch, branch_code, number, added_at) SELECT id, '004', '台北', '0037', $2, 0 FROM member WHERE id = $1`;
const SET = `UPDATE member SET identity = $2, restrictions = $3, password_changed_at = $4, fund_password_hash = $5, birth_date = $6
  WHERE id = $1`;
const FUND_PASSWORD = "135790";
/** Cheap to verify, because every other call does. */
const FUND_HASH = await hash(FUND_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
/** Another member's bank account. */
const TAKEN = "9999999999";
const NO_AUCTION = Code.parse("N9999");
const NOBODYS = OrderNo.parse("K999999999999");
let broker: TestBroker;
/** The position of each member who has money. */
const positions = new Map<number, OrderNo>();
/** Members by whether they owe, and whether they have signed. */
const members = new Map<string, number>();
const keyOf = (owes: boolean, hasSigned: boolean): string => `${owes} ${hasSigned}`;

async function owe(memberId: number): Promise<void> {
  await broker.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [memberId]);
    ledger.post({ memberId, kind: "repay", orderNo: null, moves: [{ from: "debt", to: "clearing", amount: 123_400 }] });
    await ledger.write(tx, broker.clock.now);
  });
}

beforeAll(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [[99.5, 900]], asks: [[100, 900]], last: 100, reference: 100 });
  await broker.settled();
  await query(broker.db.kysely, CARD, [await broker.newMember(), TAKEN]);
  for (const owes of [false, true]) {
    for (const hasSigned of [false, true]) {
      const member = await broker.newMember({ depositCents: owes ? 0 : 1_000_000_000 });
      if (hasSigned)
        for (const kind of ["loan", "lending", "margin", "dayTrading", "subscription"] as const) await signByHand(broker, member, kind);
      if (owes) await owe(member);
      else positions.set(member, (await broker.place(member, { lots: 60 })).orderNo);
      members.set(keyOf(owes, hasSigned), member);
    }
  }
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

/** Prepares the member who lacks exactly this. */
async function prepare(lack: Lack): Promise<number> {
  const member = members.get(keyOf(lack.debt ?? false, lack.agreements ?? true)) ?? 0;
  const { kysely } = broker.db;
  const { identity = "verified", restrictions = [] } = lack;
  await query(kysely, SET, [
    member,
    identity,
    restrictions,
    lack.slowed ? broker.clock.now : null,
    lack.fundPassword === false ? null : FUND_HASH,
    lack.minor ? "2010-01-31" : "1990-05-17",
  ]);
  await query(kysely, "DELETE FROM withdrawal WHERE member_id = $1", [member]);
  await query(kysely, "DELETE FROM bank_card WHERE member_id = $1", [member]);
  if (lack.card !== false) await query(kysely, CARD, [member, String(1_000_000_000 + member)]);
  return member;
}

const requestId = () => RequestId.parse(randomUUID());
const statement = "I bring many friends here.";
const card = { bankCode: "004", branch: "台北分行", branchCode: "0037", fundPassword: FUND_PASSWORD };

/** How a member does each act that has an endpoint. */
const DOING = {
  trade: (id) => broker.place(id),
  close: (id) => broker.close(id, positions.get(id) ?? NOBODYS, { lots: 1 }),
  addCard: (id) => broker.call("addCard", id, { requestId: requestId(), ...card, cardNumber: TAKEN }),
  deposit: (id) =>
    broker.call("submitDeposit", id, { requestId: requestId(), channelId: "none", amount: 1_000, channelPassword: null, proofId: null }),
  withdraw: (id) => broker.call("requestWithdrawal", id, { requestId: requestId(), amount: 1, cardId: "B1", fundPassword: FUND_PASSWORD }),
  convert: (id) => broker.call("quoteConversion", id, { from: "TWD", to: "TWD", side: "sell", amount: 100 }),
  transfer: (id) =>
    broker.call("transferFunds", id, { requestId: requestId(), currency: "TWD", from: "profit", to: "securities", amount: 1_000_000 }),
  agent: (id) => broker.call("applyForAgent", id, { requestId: requestId(), statement }),
  seat: (id) => broker.call("applyForSeat", id, { requestId: requestId(), statement }),
  checkIn: (id) => broker.call("checkIn", id, { requestId: requestId() }),
  bid: (id) =>
    broker.call("placeBid", id, { requestId: requestId(), code: NO_AUCTION, price: 500_000, lots: 1, fundPassword: FUND_PASSWORD }),
  payBid: (id) => broker.call("payBid", id, { requestId: requestId(), bidNo: "A000000000000", fundPassword: FUND_PASSWORD }),
  openMargin: (id) => broker.call("applyMargin", id, { requestId: requestId(), agreed: true }),
  leverage: (id) => broker.place(id, { also: { funding: "leverage", leverage: 2 } }),
  lend: (id) => broker.call("lendShares", id, { requestId: requestId(), demandId: "9-9", orderNo: positions.get(id) ?? NOBODYS, lots: 1 }),
  borrow: (id) => broker.call("offerLoan", id, { requestId: requestId(), amount: 1, termDays: 7 }),
  openDayTrading: (id) => broker.call("signDayTrading", id, { requestId: requestId(), agreed: true }),
} satisfies Partial<Record<Act, (memberId: number) => Promise<unknown>>>;
type Done = keyof typeof DOING;

/** The code of a refusal; null when it was done. */
async function codeOf(doing: Promise<unknown>): Promise<string | null> {
  try {
    await doing;
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
/** Acts that move money, of which a member has one at a time. */
const FUND_ACTS: readonly Act[] = ["deposit", "withdraw", "transfer"];

/** How each act is answered: all at once, but those that move money one after the other. */
async function codesOf(acts: readonly Done[], member: number): Promise<Map<Done, string | null>> {
  const answer = async (act: Done): Promise<[Done, string | null]> => [act, await codeOf(DOING[act](member))];
  const together = Promise.all(acts.filter((act) => !FUND_ACTS.includes(act)).map(answer));
  const codes: [Done, string | null][] = [];
  for (const act of acts.filter((one) => FUND_ACTS.includes(one))) codes.push(await answer(act));
  return new Map([...codes, ...(await together)]);
}
const missing = (act: Act, facts: MemberFacts) => missingFor(act, facts as FactsFor<Act>);

describe("members who lack something", () => {
  it("are refused each act with the first thing that button and checklist name", { timeout: 300_000 }, async () => {
    const differences: string[] = [];
    for (const lack of COMBINATIONS) {
      const member = await prepare(lack);
      const { facts } = await broker.call("readMember", member, {});
      const acts = (Object.keys(DOING) as Done[]).filter((act) => act !== "close" || positions.has(member));
      const checklist = new Map(ACTS.map((act) => [act, missing(act, facts).map(({ code }) => code)]));
      const codes = await codesOf(acts, member);
      for (const act of acts) {
        // A loan is offered before its agreement is signed.
        const told = (checklist.get(act) ?? []).filter((code) => act !== "borrow" || code !== "ACC_AGREEMENT_UNSIGNED");
        const code = codes.get(act) ?? null;
        const blocked = eligibilityRefusals(act).some((one) => one === code) ? code : null;
        if (blocked !== (told[0] ?? null)) differences.push(`${JSON.stringify(lack)} ${act}: told ${told.join(", ")}, refused ${code}`);
      }
    }
    expect(differences).toEqual([]);
  });

  it("read in their facts what they lack", async () => {
    const { facts } = await broker.call("readMember", await prepare(EVERYTHING), {});
    expect(facts).toMatchObject({
      identity: "rejected",
      restrictions: [...RESTRICTIONS],
      fundPassword: false,
      agreements: [],
      cards: 0,
      debtCents: 123_400,
    });
    expect(facts.slowedUntil).not.toBeNull();
    const { facts: complete } = await broker.call("readMember", await prepare({}), {});
    for (const act of Object.keys(DOING) as Done[]) expect(missing(act, complete), act).toEqual([]);
  });
});
