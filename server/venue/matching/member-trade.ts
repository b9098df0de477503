/** Members' trades as the market shows them: single ones, and summed up over a minute or a day and merged with the market's own. */

/**
 * What members did to the market, without naming one: a trade with the displayed book or with one another, or (side 0) a call that their orders
 * were in. Such a call replaces that of the market alone, at its time: with its official price, and `lots` more than the market alone trades.
 */
export interface MemberTrade {
  row: number;
  at: number;
  price: number;
  lots: number;
  /** Aggressor side: 1 the buyer, -1 the seller, 0 an auction. */
  side: 1 | 0 | -1;
}

/** What members traded of an instrument in a minute or a day. Prices in ten-thousandths, times in epoch milliseconds. */
export interface MemberSpan {
  firstAt: number;
  lastAt: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  /** Price units times lots. */
  turnover: number;
  /** Lots that buyers, and that sellers came for. */
  bought: number;
  sold: number;
  /** Trades beside those of the market, so without calls. */
  trades: number;
  /** Whether its first and its last trade are calls. */
  opensPriced: boolean;
  closesPriced: boolean;
}

/** What members did to an instrument in a session that opened at a time: their trades, and what moved its price in the order of the log. */
export interface MemberDay {
  opensAt: number;
  span: MemberSpan | null;
  fills: MemberFills["fills"];
}

/** What a member bought of the market's own lots in continuous trading, or sold as a negative number: it moves the price. */
export interface MemberFill {
  row: number;
  at: number;
  lots: number;
}

/** The same of an instrument in a session that opened at a time, in the order of the log. */
export interface MemberFills {
  row: number;
  opensAt: number;
  fills: readonly (readonly [at: number, lots: number])[];
}

/** Members' trades and fills from before a start. */
export interface MemberLog {
  /** Those of the latest sessions, oldest first. */
  trades: readonly MemberTrade[];
  fills?: readonly MemberFills[];
  /** Earlier sessions, which opened before this, are read when they are asked for; none where absent. */
  before?: number;
  /** The days of an instrument in those that opened from a moment on, by its code. */
  past?: (code: string, since: number) => Promise<readonly MemberDay[]>;
}

/**
 * Whether a fill moves the price: unless it traded at a limit that the market's own quotes have reached. There the price goes no further, so
 * it costs nothing, and who sold there could buy back below. At a limit that only members have pushed the price to, every fill counts: or what
 * was sold on the way down could be bought back at the limit without raising the price.
 */
export function movesPrice(price: number, { up, down }: { up: number; down: number }, own: { bid: number; ask: number }): boolean {
  if (price >= up) return own.ask > 0 && own.ask < up;
  return price > down || own.bid > down;
}

/** A bar of prices and lots. */
interface Prices {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * When the market's own first and last trades of a period were, and where the last is the closing call the range of the others; null without
 * any trades.
 */
export type TradeTimes = { firstAt: number; lastAt: number; rest: { high: number; low: number } | null } | null;

/** Adds a trade to a span. Those of one time follow in the order they are added. */
export function addTrade(before: MemberSpan | undefined, { at, price, lots, side }: MemberTrade): MemberSpan {
  const alone = { firstAt: at, lastAt: at, open: price, high: price, low: price, close: price, lots, turnover: lots * price };
  const priced = side === 0;
  const sides = { bought: side > 0 ? lots : 0, sold: side < 0 ? lots : 0, trades: priced ? 0 : 1 };
  const span = { ...alone, ...sides, opensPriced: priced, closesPriced: priced };
  return before ? joinSpans(before, span) : span;
}

/** Joins two spans, the one that was recorded first in front. */
export function joinSpans(a: MemberSpan, b: MemberSpan): MemberSpan {
  const opens = b.firstAt < a.firstAt ? b : a;
  const closes = b.lastAt >= a.lastAt ? b : a;
  return {
    firstAt: opens.firstAt,
    lastAt: closes.lastAt,
    open: opens.open,
    high: Math.max(a.high, b.high),
    low: Math.min(a.low, b.low),
    close: closes.close,
    lots: a.lots + b.lots,
    turnover: a.turnover + b.turnover,
    bought: a.bought + b.bought,
    sold: a.sold + b.sold,
    trades: a.trades + b.trades,
    opensPriced: opens.opensPriced,
    closesPriced: closes.closesPriced,
  };
}

/**
 * The bar of a period with members' trades in it. Of two trades at one time the market's own came first, but a call with members' orders stands
 * in place of the market's own.
 */
export function withMembers(own: Prices | null, times: TradeTimes, span: MemberSpan): Prices {
  const { open, high, low, close, lots: volume, firstAt, lastAt } = span;
  if (!own || !times) return { open, high, low, close, volume };
  const opens = firstAt < times.firstAt || (span.opensPriced && firstAt === times.firstAt);
  const closes = lastAt >= times.lastAt;
  const isOnlyCall = times.firstAt === times.lastAt && (span.opensPriced ? firstAt : span.closesPriced ? lastAt : null) === times.firstAt;
  const range = isOnlyCall ? span : closes && span.closesPriced && lastAt === times.lastAt && times.rest ? times.rest : own;
  return {
    open: opens ? open : own.open,
    high: Math.max(range.high, high),
    low: Math.min(range.low, low),
    close: closes ? close : own.close,
    volume: own.volume + volume,
  };
}
