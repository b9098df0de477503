/** Fixture of tests of futures: an index on the fake venue, a member with a funded futures wallet, days that pass. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Answer, Body } from "#contract/endpoints.ts";
import type { FuturesPosition } from "#contract/futures.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());
/** The rule of the large contract. */
export const TX = { feeCents: 6_000, taxPerMillion: 20, initialCents: 32_200_000 };
/** The row of the weighted index. */
export const INDEX = 5;

/** Sets the index, at first with the same close before it. */
export function index(broker: TestBroker, last: number, reference?: number): void {
  broker.venue.set(INDEX, { last, ...(reference === undefined ? {} : { reference }) });
}

/** An open market on fresh prices, with the index at 20,000 as the day before and without dividends. */
export function calmMarket(broker: TestBroker): void {
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  broker.venue.setExDividend(INDEX, 0);
  index(broker, 20_000, 20_000);
}

/** A member who has signed, with money in the futures wallet. */
export async function trader(broker: TestBroker, walletCents = 100_000_000, depositCents = 500_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await signByHand(broker, member, "futures");
  await move(broker, member, "futures", walletCents);
  return member;
}

export const move = (broker: TestBroker, member: number, to: "futures" | "securities", amount: number) =>
  broker.call("transferFunds", member, {
    requestId: newId(),
    currency: "TWD",
    from: to === "futures" ? "securities" : "futures",
    to,
    amount,
  });

/** The code of the contract of a product that expires first, or of a later one. */
export async function contract(broker: TestBroker, member: number, product = "TX", nth = 0): Promise<string> {
  const { contracts } = await broker.call("readFutures", member, {});
  const found = contracts.filter((one) => one.product === product)[nth];
  if (!found) throw new Error(`no contract of ${product}`);
  return found.code;
}

export async function trade(
  broker: TestBroker,
  member: number,
  side: "buy" | "sell",
  lots: number,
  over: Partial<Body<"tradeFutures">> = {},
): Promise<Answer<"tradeFutures">> {
  const named = over.contract ?? (await contract(broker, member));
  return broker.call("tradeFutures", member, { requestId: newId(), side, lots, price: null, ...over, contract: named });
}

/** Lets a day begin whose index starts at its close less the dividend; at 0 it has not begun. */
export async function nextDay(broker: TestBroker, close: number, dividend = 0, days = 1, last = close - dividend): Promise<void> {
  const day = broker.venue.feeDay(broker.clock.now) + days;
  broker.clock.now += days * DAY_MS;
  broker.venue.setExDividend(INDEX, dividend);
  index(broker, last, close);
  broker.venue.setFeeDay(day);
  await broker.settled();
}

export async function position(broker: TestBroker, member: number, positionNo: string): Promise<FuturesPosition> {
  const { items } = await broker.call("listFuturesPositions", member, { cursor: null });
  const found = items.find((one) => one.positionNo === positionNo);
  if (!found) throw new Error(`no position ${positionNo}`);
  return found;
}

export const wallet = async (broker: TestBroker, member: number): Promise<number> => (await readBalances(broker.db.kysely, member)).futures;

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
