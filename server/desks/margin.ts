/** The desk of margin: the account applied for and read, calls paid, margin added to leveraged positions. */
import type { Answer, Body } from "#contract/endpoints.ts";
import type { MarginAccount } from "#contract/margin.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";
import type { Venue } from "#server/venue/port.ts";
import { accountIn, changeHolder, judgeAccount, openStanding, putUp, readStanding, standingOf } from "./margin/account.ts";
import { accrue } from "./margin/interest.ts";
import type { Counter } from "./order/counter.ts";
import type { OrderRecord } from "./order/record.ts";
import type { Round } from "./order/round.ts";
import { askOrder } from "./order/withdraw.ts";

export interface MarginDeskDeps {
  db: Database;
  venue: Venue;
  counter: Counter;
}

/** So many calls are told, the newest first. */
const CALLS_TOLD = 50;
const CENTS = 100;

function apply(round: Round, memberId: number): MarginAccount {
  const person = round.person(memberId);
  const { holder } = standingOf(round, memberId);
  if (person.identity !== "verified") throw new Refusal("ACC_REALNAME_REQUIRED");
  if (person.trade_barred) throw new Refusal("ACC_TRADE_BARRED");
  if (holder.margin_status === "pendingReview") throw new Refusal("FUND_ORDER_UNDER_REVIEW");
  if (holder.margin_status === "approved") throw new Refusal("TRD_MARGIN_ENABLED");
  changeHolder(round, memberId, "margin.applied", { margin_status: "pendingReview", margin_applied_at: round.at });
  return accountIn(round, memberId);
}

function withdraw(round: Round, memberId: number): MarginAccount {
  if (standingOf(round, memberId).holder.margin_status !== "pendingReview") throw new Refusal("TRD_ORDER_NOT_REVIEW");
  changeHolder(round, memberId, "margin.withdrawn", { margin_status: "none", margin_applied_at: null });
  return accountIn(round, memberId);
}

function pay(round: Round, memberId: number, amountCents: number): MarginAccount {
  const { holder, call } = standingOf(round, memberId);
  // A short paid in cash is called too, whether its member has a margin account or not.
  if (holder.margin_status !== "approved" && call === null) throw new Refusal("TRD_MARGIN_DISABLED");
  if (call === null) throw new Refusal("TRD_ORDER_NOT_PAYMENT");
  if (round.ledger.balance(memberId, "available") < amountCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  putUp(round, memberId, amountCents);
  // The last the member is told is where the account stands with it, the call that ended with it among them.
  judgeAccount(round, memberId);
  return accountIn(round, memberId);
}

/** Of a rise the loan shrinks, of a fall the collateral grows: either way the price at which the house closes it moves away. */
function addMargin(round: Round, memberId: number, { orderNo, amount }: Body<"addMargin">): OrderRecord {
  const order = askOrder(round, memberId, orderNo);
  if (order.status === "pending") throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNo");
  if (order.funding !== "leverage") throw new Refusal("TRD_NOT_LEVERAGED", {}, "orderNo");
  const amountCents = amount * CENTS;
  if (order.direction === "rise" && amountCents > order.loan_cents) {
    throw new Refusal("TRD_MARGIN_TOO_MUCH", { n: Math.floor(order.loan_cents / CENTS) }, "amount");
  }
  if (round.ledger.balance(memberId, "available") < amountCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  accrue(order, round.at);
  const to = order.direction === "rise" ? "loans" : "collateral";
  round.ledger.post({ memberId, kind: "margin", orderNo: order.order_no, moves: [{ from: "available", to, amount: amountCents }] });
  if (order.direction === "rise") order.loan_cents -= amountCents;
  else {
    order.collateral_cents += amountCents;
    order.pledged_cents += amountCents;
  }
  round.tell("order.adjusted", order);
  return order;
}

/** The desk's handlers. */
export function marginDesk({
  db,
  venue,
  counter,
}: MarginDeskDeps): Pick<Handlers, "readMargin" | "applyMargin" | "withdrawMargin" | "payMargin" | "addMargin"> {
  const onAccount = <Name extends "applyMargin" | "withdrawMargin" | "payMargin">(
    endpoint: Name,
    memberId: number,
    body: Body<Name>,
    decide: (round: Round) => Answer<Name>,
  ): Promise<MarginAccount> =>
    counter.commandAll<MarginAccount>({
      endpoint,
      memberId,
      body,
      prepare: (tx, round) => openStanding(tx, round, memberId),
      decide,
    });
  return {
    readMargin: ({ caller: { memberId } }) => readStanding(db.kysely, venue, memberId, CALLS_TOLD, counter.now()),
    applyMargin: ({ caller: { memberId } }, body) => onAccount("applyMargin", memberId, body, (round) => apply(round, memberId)),
    withdrawMargin: ({ caller: { memberId } }, body) => onAccount("withdrawMargin", memberId, body, (round) => withdraw(round, memberId)),
    payMargin: ({ caller: { memberId } }, body) =>
      onAccount("payMargin", memberId, body, (round) => pay(round, memberId, body.amount * CENTS)),
    addMargin: ({ caller: { memberId } }, body) =>
      counter.command({ endpoint: "addMargin", memberId, body, decide: (round) => addMargin(round, memberId, body) }),
  };
}
