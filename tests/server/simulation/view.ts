/** A member's account folded from facts alone, and checks of every fact. */
import type { Condition } from "#contract/condition.ts";
import type { Bid } from "#contract/bid.ts";
import type { BlockOrder } from "#contract/block-order.ts";
import { isOpenBlockOrder } from "#contract/block-order.ts";
import type { Deposit } from "#contract/deposit.ts";
import {
  isAuctionFact,
  isBlockOrderFact,
  isConditionFact,
  isDepositFact,
  isLendingFact,
  isLoanFact,
  isOrderFact,
  isSavingsPlanFact,
  isStakeFact,
  isSubscriptionFact,
  isWithdrawalFact,
} from "#contract/fact-kind.ts";
import type { Fact, LendingFact, LoanFact, OrderFact } from "#contract/fact.ts";
import type { Lending } from "#contract/lending.ts";
import type { Loan } from "#contract/loan.ts";
import type { Fill, Order } from "#contract/order.ts";
import { share } from "#contract/profit.ts";
import type { Stake } from "#contract/raise.ts";
import type { Terms } from "#contract/rule.ts";
import type { SavingsPlan } from "#contract/savings-plan.ts";
import type { Subscription } from "#contract/subscription.ts";
import { isOpenWithdrawal } from "#contract/withdrawal.ts";
import type { Withdrawal } from "#contract/withdrawal.ts";
import { blockOrderMachine } from "#machines/block-order.ts";
import { depositMachine } from "#machines/deposit.ts";
import { withdrawalMachine } from "#machines/withdrawal.ts";
import { advance } from "#machines/advance.ts";
import { lendingMachine } from "#machines/lending.ts";
import { loanMachine } from "#machines/loan.ts";
import { bidMachine } from "#machines/bid.ts";
import { orderMachine } from "#machines/order.ts";
import { stakeMachine } from "#machines/stake.ts";
import { subscriptionMachine } from "#machines/subscription.ts";
import { ServiceView } from "./service-view.ts";

type Side = Fill["side"];

/** A part of a value in whole NT$, rounded down: an independent calculation of fees and taxes. */
const wholePart = (valueCents: number, perMillion: number): number =>
  Number((BigInt(valueCents) * BigInt(perMillion)) / 100_000_000n) * 100;

const feeFor = (terms: Terms, valueCents: number): number =>
  valueCents === 0 ? 0 : Math.max(terms.feeMinimumCents, wholePart(valueCents, terms.feePerMillion));

/** The value of fills, each rounded down. */
const valueOf = (fills: readonly Fill[], { lotShares, unitsPerWhole: per = 1 }: Order): number =>
  fills.reduce((sum, { price, lots }) => sum + Number((BigInt(price) * BigInt(lots * lotShares)) / (100n * BigInt(per))), 0);

const lotsOf = (fills: readonly Fill[]): number => fills.reduce((sum, { lots }) => sum + lots, 0);

const SUMMED = ["heldCents", "collateralCents", "loanCents", "profitCents"] as const;
type Summed = (typeof SUMMED)[number];

/** The status after a fact, by the machine. */
interface Next {
  (before: string, type: string): string | null;
  initial: string;
}
const nextIn = (initial: string, next: (before: never, type: never) => string | null): Next =>
  Object.assign((before: string, type: string) => next(before as never, type as never), { initial });
const NEXT = {
  deposit: nextIn("pending", (before, type) => advance(depositMachine, before, type)),
  withdrawal: nextIn("requested", (before, type) => advance(withdrawalMachine, before, type)),
  block: nextIn("pending", (before, type) => advance(blockOrderMachine, before, type)),
  subscription: nextIn("subscribing", (before, type) => advance(subscriptionMachine, before, type)),
  bid: nextIn("placed", (before, type) => advance(bidMachine, before, type)),
  stake: nextIn("subscribed", (before, type) => advance(stakeMachine, before, type)),
};

/** The origins of positions that were not ordered. */
const ALLOTTED: readonly Order["origin"][] = ["subscription", "bid", "raise", "block"];

/** What a bid keeps of its member's money. */
function heldForBid({ status, depositCents, refundCents, refundedAt, wonCents, awardFeeCents, orderNo }: Bid): number {
  if (status === "placed") return depositCents;
  if (status === "voided") return 0;
  const goesBack = refundedAt === null ? refundCents : 0;
  if (status === "won") return depositCents - refundCents + goesBack;
  return goesBack + (status === "paid" && orderNo === null ? wonCents + awardFeeCents : 0);
}

export class View {
  readonly orders = new Map<string, Order>();
  readonly fills = new Map<string, Fill[]>();
  readonly conditions = new Map<string, Condition>();
  readonly loans = new Map<string, Loan>();
  readonly deposits = new Map<string, Deposit>();
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly blocks = new Map<string, BlockOrder>();
  readonly lendings = new Map<string, Lending>();
  /** What the member takes part in, by its number. */
  readonly subscriptions = new Map<string, Subscription>();
  readonly bids = new Map<string, Bid>();
  readonly stakes = new Map<string, Stake>();
  readonly plans = new Map<string, SavingsPlan>();
  readonly services = new ServiceView();
  /** The account's money after the last fact; null before the first. */
  money: OrderFact["money"] | null = null;
  n = 0;
  /** Applies a fact. @returns one sentence per inconsistency */
  take(fact: Fact): string[] {
    if (fact.n <= this.n) return [];
    const wrong = fact.n === this.n + 1 ? [] : [`fact ${fact.n} follows fact ${this.n}`];
    this.n = fact.n;
    wrong.push(...this.#takeMoney(fact));
    wrong.push(...this.services.take(fact));
    if (isLoanFact(fact)) wrong.push(...this.#takeLoan(fact).map((what) => `${fact.type} ${fact.n} of ${fact.loan.loanNo}: ${what}`));
    if (isLendingFact(fact))
      wrong.push(...this.#takeLending(fact).map((what) => `${fact.type} ${fact.n} of ${fact.lending.lendingNo}: ${what}`));
    if (isConditionFact(fact)) this.conditions.set(fact.condition.conditionNo, fact.condition);
    if (isOrderFact(fact)) wrong.push(...this.#takeOrder(fact).map((what) => `${fact.type} ${fact.n} of ${fact.order.orderNo}: ${what}`));
    return wrong;
  }

  /** What is borrowed on credit and not paid back, without interest. */
  get borrowedCents(): number {
    return [...this.loans.values()].reduce((sum, { principalCents }) => sum + principalCents, 0);
  }

  /** What lies in `payout`: withdrawals on their way. */
  get payoutCents(): number {
    return [...this.withdrawals.values()].filter(isOpenWithdrawal).reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  /** What is held for block purchases on their way. */
  get blockCents(): number {
    return [...this.blocks.values()].filter(isOpenBlockOrder).reduce((sum, { valueCents, feeCents }) => sum + valueCents + feeCents, 0);
  }

  /** Deposits, withdrawals, and what the member takes part in in the primary market: each step must be one of its machine. */
  #takeMoney(fact: Fact): string[] {
    const took = <Item extends { status: string }>(known: Map<string, Item>, no: string, item: Item, next: Next): string[] => {
      const before = known.get(no);
      known.set(no, item);
      const expected = before ? next(before.status, fact.type) : next.initial;
      return expected === item.status ? [] : [`${fact.type} ${fact.n} of ${no}: ${before?.status ?? "nothing"} became ${item.status}`];
    };
    if (isDepositFact(fact)) return took(this.deposits, fact.deposit.depositNo, fact.deposit, NEXT.deposit);
    if (isWithdrawalFact(fact)) return took(this.withdrawals, fact.withdrawal.withdrawalNo, fact.withdrawal, NEXT.withdrawal);
    if (isSubscriptionFact(fact) && "subscription" in fact)
      return took(this.subscriptions, fact.subscription.subscriptionNo, fact.subscription, NEXT.subscription);
    if (isAuctionFact(fact) && "bid" in fact) return took(this.bids, fact.bid.bidNo, fact.bid, NEXT.bid);
    if (isStakeFact(fact)) return took(this.stakes, fact.stake.stakeNo, fact.stake, NEXT.stake);
    if (isSavingsPlanFact(fact)) this.plans.set(fact.plan.planNo, fact.plan);
    return isBlockOrderFact(fact) ? took(this.blocks, fact.block.blockNo, fact.block, NEXT.block) : [];
  }

  #takeLoan({ type, loan }: LoanFact): string[] {
    const before = this.loans.get(loan.loanNo);
    this.loans.set(loan.loanNo, loan);
    if (!before) return type === "loan.offered" && loan.version === 1 ? [] : [`its first status is ${loan.status}`];
    const wrong = loan.version === before.version + 1 ? [] : [`version ${loan.version} follows ${before.version}`];
    if (advance(loanMachine, before.status, type) !== loan.status) wrong.push(`${before.status} became ${loan.status}`);
    const lent = type === "loan.drawn" ? loan.amountCents : 0;
    if (loan.principalCents > before.principalCents + lent)
      wrong.push(`its amount grew from ${before.principalCents} to ${loan.principalCents}`);
    if (loan.paidInterestCents < before.paidInterestCents) wrong.push("paid interest came back");
    return wrong;
  }

  #takeLending({ type, lending }: LendingFact): string[] {
    const before = this.lendings.get(lending.lendingNo);
    this.lendings.set(lending.lendingNo, lending);
    const { status, feeCents, paidCents, brokerPerMillion } = lending;
    if (!before)
      return lending.version === 1 && feeCents === 0 ? [] : [`it begins as version ${lending.version} with a fee of ${feeCents}`];
    const wrong = lending.version === before.version + 1 ? [] : [`version ${lending.version} follows ${before.version}`];
    const next = type === "lending.offered" ? before.status : advance(lendingMachine, before.status, type);
    if (next !== status) wrong.push(`${before.status} became ${status}`);
    if (feeCents < before.feeCents) wrong.push(`its fee fell from ${before.feeCents} to ${feeCents}`);
    const whole = (BigInt(feeCents) * BigInt(1_000_000 - brokerPerMillion)) / 1_000_000n;
    if (paidCents !== (status === "completed" ? Number(whole) : 0))
      wrong.push(`${paidCents} of a fee of ${feeCents} is paid while ${status}`);
    return wrong;
  }

  /** What applications, bids and stakes keep of the member's money. */
  get reservedCents(): number {
    const sum = <Item>(items: Iterable<Item>, of: (item: Item) => number): number => [...items].reduce((all, item) => all + of(item), 0);
    const reserved = ({ reservedCents }: { reservedCents: number }): number => reservedCents;
    return sum(this.subscriptions.values(), reserved) + sum(this.stakes.values(), reserved) + sum(this.bids.values(), heldForBid);
  }

  /** Orders that are still open. */
  readonly live = new Map<string, Order>();
  /** Value and paid fee of each order's latest close order, calculated from the facts. */
  readonly #closing = new Map<string, { value: number; fee: number }>();
  readonly #sums: Record<Summed, number> = { heldCents: 0, collateralCents: 0, loanCents: 0, profitCents: 0 };

  /** The sum of a field over all orders: held, collateral, loan or profit. */
  sum(field: Summed): number {
    return this.#sums[field];
  }

  #takeOrder({ type, order, fills, money }: OrderFact): string[] {
    const before = this.orders.get(order.orderNo);
    this.orders.set(order.orderNo, order);
    if (order.status === "closed" || order.status === "cancelled") this.live.delete(order.orderNo);
    else this.live.set(order.orderNo, order);
    for (const field of SUMMED) this.#sums[field] += order[field] - (before?.[field] ?? 0);
    this.fills.set(order.orderNo, [...(this.fills.get(order.orderNo) ?? []), ...fills]);
    this.money = money;
    const wrong = [...counted(order), ...limited(order, fills), ...held(order)];
    // Shares that were allotted are a position at once.
    if (!before && ALLOTTED.includes(order.origin)) {
      if (type !== "order.filled" || order.status !== "holding" || order.version !== 1) wrong.push(`its first status is ${order.status}`);
      return wrong;
    }
    if (!before) {
      if (type !== "order.placed" || order.status !== "pending" || order.version !== 1) wrong.push(`its first status is ${order.status}`);
      return wrong;
    }
    if (order.version !== before.version + 1) wrong.push(`version ${order.version} follows ${before.version}`);
    if (advance(orderMachine, before.status, type) !== order.status) wrong.push(`${before.status} became ${order.status}`);
    if (type === "order.closeRequested") this.#closing.delete(order.orderNo);
    const closing = this.#closing.get(order.orderNo) ?? { value: 0, fee: 0 };
    for (const side of ["open", "close"] as const) wrong.push(...stepped(type, before, order, side, fills, closing));
    const closed = fills.filter(({ side }) => side === "close");
    const fee = closed.reduce((sum, fill) => sum + fill.feeCents, 0);
    this.#closing.set(order.orderNo, { value: closing.value + valueOf(closed, order), fee: closing.fee + fee });
    return wrong;
  }
}

/** Checks that the numbers of lots are consistent. */
function counted({ lots, filledLots, closedLots, closingLots, onLoanLots = 0, status }: Order): string[] {
  const right =
    closedLots >= 0 &&
    closingLots >= 0 &&
    onLoanLots >= 0 &&
    closedLots + closingLots + onLoanLots <= filledLots &&
    filledLots <= lots &&
    closingLots > 0 === (status === "readyToClose");
  return right
    ? []
    : [`lots ${lots}, filled ${filledLots}, closed ${closedLots}, closing ${closingLots}, on loan ${onLoanLots} while ${status}`];
}

/** Checks that no fill is beyond the order's limit. */
function limited(order: Order, fills: readonly Fill[]): string[] {
  return fills.flatMap(({ side, price }) => {
    const limit = side === "open" ? order.price : order.closePrice;
    if (limit === null) return [];
    const buys = (order.direction === "rise") === (side === "open");
    return (buys ? price > limit : price < limit) ? [`filled at ${price}, limited to ${limit}`] : [];
  });
}

/** Checks that money is held only while a part of the order is unfilled. */
function held({ heldCents, status, collateralCents, loanCents, filledLots, closedLots }: Order): string[] {
  const wrong = heldCents < 0 || (heldCents > 0 && status !== "pending") ? [`${heldCents} held while ${status}`] : [];
  const open = filledLots - closedLots;
  if (open === 0 && (collateralCents !== 0 || loanCents !== 0))
    wrong.push(`collateral ${collateralCents}, loan ${loanCents} for nothing open`);
  return wrong;
}

/** Checks that an adjustment of units keeps the cost of the open part. */
function recountedRight(before: Order, order: Order): string[] {
  const still = ({ filledLots, closedLots }: Order, amount: number): number => amount - share(amount, closedLots, filledLots);
  const value = [before, order].map((one) => still(one, one.openCents));
  const costs = [before, order].map((one) => still(one, one.openFeeCents + one.openTaxCents));
  const same = value[0] === value[1] && costs[0] === costs[1] && before.profitCents === order.profitCents;
  return same ? [] : [`what is open had cost ${value[0]} and ${costs[0]}, recounted ${value[1]} and ${costs[1]}`];
}

/**
 * Checks that a side grows only by its fills, and pays the tax on them and the fee on the value of its order: the opening order, or the
 * latest close order, which had reached `closing` before.
 */
function stepped(
  type: OrderFact["type"],
  before: Order,
  order: Order,
  side: Side,
  fills: readonly Fill[],
  closing: { value: number; fee: number },
): string[] {
  const mine = fills.filter((fill) => fill.side === side);
  const [lots, value, fee, tax] =
    side === "open"
      ? (["filledLots", "openCents", "openFeeCents", "openTaxCents"] as const)
      : (["closedLots", "closeCents", "closeFeeCents", "closeTaxCents"] as const);
  const wrong: string[] = [];
  const recounted = type === "order.adjusted" && (order.filledLots !== before.filledLots || order.lotShares !== before.lotShares);
  if (recounted && side === "open") return recountedRight(before, order);
  if (type !== "order.adjusted" && order[lots] !== before[lots] + lotsOf(mine)) wrong.push(`${lots} ${before[lots]} became ${order[lots]}`);
  const grew = order[value] - before[value];
  const least = valueOf(mine, order);
  // A purchase of a fraction pays up to a cent more for each fill.
  const most = order.unitsPerWhole !== undefined && side === "open" ? least + mine.length : least;
  if (grew < least || grew > most) wrong.push(`${value} ${before[value]} became ${order[value]}`);
  const paid = (what: "feeCents" | "taxCents"): number => mine.reduce((sum, fill) => sum + fill[what], 0);
  if (order[fee] !== before[fee] + paid("feeCents")) wrong.push(`${fee} ${before[fee]} became ${order[fee]}`);
  // A day trade that outlived its day pays the remaining tax on its open short sale.
  const late = type === "order.adjusted" && before.dayTrade && !order.dayTrade && side === "open" && order.direction === "fall";
  if (late ? order[tax] < before[tax] : order[tax] !== before[tax] + paid("taxCents"))
    wrong.push(`${tax} ${before[tax]} became ${order[tax]}`);
  if (mine.length === 0) return wrong;
  // What a fund pays at its end is no sale.
  if (mine.every(({ reason }) => reason === "redemption"))
    return [...wrong, ...(paid("feeCents") + paid("taxCents") === 0 ? [] : ["a redemption had costs"])];
  const sells = (order.direction === "rise") === (side === "close");
  const taxed = (valueCents: number): number => (sells ? wholePart(valueCents, order.terms.taxPerMillion) : 0);
  const sent = side === "open" ? { value: before[value], fee: before[fee] } : closing;
  const whole = sent.value + grew;
  if (sent.fee + paid("feeCents") !== feeFor(order.terms, whole)) wrong.push(`${fee} ${sent.fee + paid("feeCents")} of ${whole}`);
  if (paid("taxCents") !== taxed(order[value]) - taxed(before[value]))
    wrong.push(`${tax} of ${paid("taxCents")} for ${order[value] - before[value]}`);
  return wrong;
}
