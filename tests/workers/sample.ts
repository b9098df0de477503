/** Sample instruments, quotes, orders and facts for worker tests. */
import { STOCK_TERMS } from "#tests/support/terms.ts";
import type { Fact } from "#contract/fact.ts";
import type { Instrument } from "#contract/instrument.ts";
import { Code } from "#contract/kernel/id.ts";
import type { OrderNo, RequestId } from "#contract/kernel/id.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";

/** An instrument of the given row; codes count from 1000. */
export function instrument(row: number, more: Partial<Instrument> = {}): Instrument {
  return {
    row,
    code: Code.parse(String(1000 + row)),
    zh: `第${row}號`,
    zhCn: `第${row}号`,
    en: `Number ${row}`,
    kind: "stock",
    board: "listed",
    category: "24",
    decimals: 2,
    lotShares: 1000,
    issuedThousands: 1000,
    tradable: true,
    shortable: true,
    dayTradable: true,
    marginable: true,
    watch: "none",
    fictitious: true,
    sellLockSeconds: 0,
    listedDay: 0,
    limitPercent: 10,
    bonds: false,
    tradesFrom: 0,
    freeUntil: 0,
    ...more,
  };
}

/** A quote at 1,085.00 against 1,065.00. */
export function quote(row: number, more: Partial<Quote> = {}): Quote {
  return {
    row,
    seq: 1,
    at: 1_700_000_000_000,
    last: 10_850_000,
    open: 10_700_000,
    high: 10_900_000,
    low: 10_650_000,
    reference: 10_650_000,
    volume: 28_413,
    turnover: 30_700_000_000,
    bid: 10_800_000,
    ask: 10_850_000,
    ...more,
  };
}

/** Quotes as a flat wire array. */
export function flat(...quotes: Quote[]): number[] {
  const out: number[] = [];
  for (const each of quotes) pushQuote(out, each);
  return out;
}

/** A held order of `lots` lots opened at 1,065.00. */
export function order(code: string, lots: number, more: Partial<Order> = {}): Order {
  const openCents = worth(price(10_650_000), lots * 1000);
  return {
    orderNo: "K000000000001" as OrderNo,
    requestId: "5b7a4f8e-6a0b-4d2c-9a54-000000000001" as RequestId,
    code: Code.parse(code),
    status: "holding",
    direction: "rise",
    pricing: "market",
    price: null,
    lots,
    lotShares: 1000,
    leverage: 1,
    market: "board",
    validity: "rod",
    funding: "cash",
    dayTrade: false,
    terms: STOCK_TERMS,
    trigger: null,
    filledLots: lots,
    closedLots: 0,
    closingLots: 0,
    closePricing: null,
    closePrice: null,
    closeCause: null,
    placedAt: epochMs(1_700_000_000_000),
    boughtAt: epochMs(1_700_000_000_000),
    soldAt: null,
    lockedUntil: null,
    openAverage: price(10_650_000),
    closeAverage: null,
    openCents,
    openFeeCents: cents(Math.max(2000, Math.floor((openCents * 1425) / 100_000_000) * 100)),
    openTaxCents: cents(0),
    closeCents: cents(0),
    closeFeeCents: cents(0),
    closingCents: cents(0),
    closingFeeCents: cents(0),
    closeTaxCents: cents(0),
    heldCents: cents(0),
    collateralCents: cents(0),
    loanCents: cents(0),
    interestCents: cents(0),
    dividendCents: cents(0),
    profitCents: cents(0),
    version: 1,
    ...more,
  };
}

/** The n-th fact of a member. */
export function fact(n: number): Fact {
  return {
    n,
    at: epochMs(1_700_000_000_000 + n),
    type: "order.placed",
    order: order("1000", 1),
    fills: [],
    money: { availableCents: cents(0), frozenCents: cents(0), profitCents: cents(0) },
  };
}
