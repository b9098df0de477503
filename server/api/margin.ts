/** Handlers of margin: apply for, withdraw and read the account, pay margin calls, add margin to leveraged positions. */
import type { Answer, Body } from "#contract/endpoints.ts";
import type { Agreement } from "#contract/eligibility.ts";
import type { MarginAccount } from "#contract/margin.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import type { Database } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import type { Venue } from "#server/venue/venue.ts";
import {
  accountIn,
  changeHolder,
  evaluateAccount,
  openMarginAccount,
  depositMargin,
  readMarginAccount,
  marginIn,
} from "#server/trading/risk/margin-account.ts";
import { checkOwnFunds } from "#server/trading/order-entry/own-funds.ts";
import { accrue } from "#server/trading/clearing/interest-accrual.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { checkOrder } from "#server/trading/order-entry/cancel.ts";

export interface MarginHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

/** Margin calls in a reply, newest first. */
const CALLS_LISTED = 50;
const CENTS = 100;

function apply(batch: Batch, memberId: number, agreements: readonly Agreement[]): MarginAccount {
  const member = batch.member(memberId);
  const { holder } = marginIn(batch, memberId);
  checkEligible("openMargin", { ...member, minor: isMinorIn(batch, memberId), agreements: [...agreements] });
  if (holder.margin_status === "pendingReview") throw new Refusal("FUND_ORDER_UNDER_REVIEW");
  if (holder.margin_status === "approved") throw new Refusal("TRD_MARGIN_ENABLED");
  changeHolder(batch, memberId, "margin.applied", { margin_status: "pendingReview", margin_applied_at: batch.at });
  return accountIn(batch, memberId);
}

function withdraw(batch: Batch, memberId: number): MarginAccount {
  if (marginIn(batch, memberId).holder.margin_status !== "pendingReview") throw new Refusal("TRD_ORDER_NOT_REVIEW");
  changeHolder(batch, memberId, "margin.withdrawn", { margin_status: "none", margin_applied_at: null });
  return accountIn(batch, memberId);
}

function pay(batch: Batch, memberId: number, amountCents: number): MarginAccount {
  const { holder, call } = marginIn(batch, memberId);
  // Shorts on cash collateral get margin calls too, with or without a margin account.
  if (holder.margin_status !== "approved" && call === null) throw new Refusal("TRD_MARGIN_DISABLED");
  if (call === null) throw new Refusal("TRD_ORDER_NOT_PAYMENT");
  const available = batch.ledger.balance(memberId, "available");
  if (available < amountCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  checkOwnFunds(batch, memberId, amountCents, available, "amount");
  depositMargin(batch, memberId, amountCents);
  // Emitted last, so that the member's latest fact is the account after the payment, including a call that it ended.
  evaluateAccount(batch, memberId);
  return accountIn(batch, memberId);
}

/** Reduces the loan of a long or raises the collateral of a short: either moves the forced-close price further away. */
function addMargin(batch: Batch, memberId: number, { orderNo, amount }: Body<"addMargin">): OrderRecord {
  const order = checkOrder(batch, memberId, orderNo);
  if (order.status === "pending") throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNo");
  if (order.funding !== "leverage") throw new Refusal("TRD_NOT_LEVERAGED", {}, "orderNo");
  const amountCents = amount * CENTS;
  if (order.direction === "rise" && amountCents > order.loan_cents) {
    throw new Refusal("TRD_MARGIN_TOO_MUCH", { n: Math.floor(order.loan_cents / CENTS) }, "amount");
  }
  const available = batch.ledger.balance(memberId, "available");
  if (available < amountCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  checkOwnFunds(batch, memberId, amountCents, available, "amount");
  accrue(order, batch.at);
  const to = order.direction === "rise" ? "loans" : "collateral";
  batch.ledger.post({ memberId, kind: "margin", orderNo: order.order_no, moves: [{ from: "available", to, amount: amountCents }] });
  if (order.direction === "rise") order.loan_cents -= amountCents;
  else {
    order.collateral_cents += amountCents;
    order.pledged_cents += amountCents;
  }
  batch.emitOrderFact("order.adjusted", order);
  return order;
}

export function marginHandlers({
  db,
  venue,
  sequencer,
}: MarginHandlerDeps): Pick<Handlers, "readMargin" | "applyMargin" | "withdrawMargin" | "payMargin" | "addMargin"> {
  const onAccount = <Name extends "withdrawMargin" | "payMargin">(
    endpoint: Name,
    memberId: number,
    body: Body<Name>,
    decide: (batch: Batch) => Answer<Name>,
  ): Promise<MarginAccount> =>
    sequencer.commandAll<MarginAccount>({
      endpoint,
      memberId,
      body,
      prepare: (tx, batch) => openMarginAccount(tx, batch, memberId),
      decide,
    });
  return {
    readMargin: ({ caller: { memberId } }) => readMarginAccount(db.kysely, venue, memberId, CALLS_LISTED, sequencer.now()),
    applyMargin: ({ caller: { memberId } }, body) => {
      let agreements: Agreement[] = [];
      return sequencer.commandAll<MarginAccount>({
        endpoint: "applyMargin",
        memberId,
        body,
        prepare: async (tx, batch) => {
          agreements = (await readSigned(tx, memberId)).map(({ kind }) => kind);
          await openMarginAccount(tx, batch, memberId);
        },
        decide: (batch) => apply(batch, memberId, agreements),
      });
    },
    withdrawMargin: ({ caller: { memberId } }, body) => onAccount("withdrawMargin", memberId, body, (batch) => withdraw(batch, memberId)),
    payMargin: ({ caller: { memberId } }, body) =>
      onAccount("payMargin", memberId, body, (batch) => pay(batch, memberId, body.amount * CENTS)),
    addMargin: ({ caller: { memberId } }, body) =>
      sequencer.command({ endpoint: "addMargin", memberId, body, decide: (batch) => addMargin(batch, memberId, body) }),
  };
}
