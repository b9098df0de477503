/** Bars made comparable across ex-events: exact fractions, one rounding per figure. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle } from "#contract/candle.ts";
import type { Adjustment, CorporateAction } from "#contract/corporate-action.ts";

/** What an amount is multiplied by, as a fraction. */
interface Fraction {
  over: bigint;
  under: bigint;
}

/** The prices and lots between two ex-events, and when that span begins. */
interface Span {
  from: number;
  price: Fraction;
  lots: Fraction;
}

const ONE: Fraction = { over: 1n, under: 1n };
const MILLION = 1_000_000;

function times(by: Fraction, over: number, under: number): Fraction {
  const product = { over: by.over * BigInt(over), under: by.under * BigInt(under) };
  let [a, b] = [product.over, product.under];
  while (b > 0n) [a, b] = [b, a % b];
  return { over: product.over / a, under: product.under / a };
}

/** To the nearest whole, halves up. */
function scaled(amount: number, { over, under }: Fraction): number {
  return over === under ? amount : Number((2n * BigInt(amount) * over + under) / (2n * under));
}

export class Adjuster {
  /** Newest first. */
  readonly #spans: Span[] = [];

  /**
   * Prices before an ex-date count `reference / closeBefore` of what they were, lots as many more as there were new shares.
   * Forward scales the past down to today's shares, backward scales what came after up to the shares of the past.
   */
  constructor(adjustment: Adjustment, actions: readonly CorporateAction[]) {
    if (adjustment === "none") return;
    const events = actions.filter(({ closeBefore, reference }) => closeBefore > 0 && reference > 0).toSorted((a, b) => a.at - b.at);
    if (events.length === 0) return;
    let price = ONE;
    let lots = ONE;
    const shares = ({ freeMillionths, rightsMillionths }: CorporateAction): number => MILLION + freeMillionths + rightsMillionths;
    if (adjustment === "forward") {
      for (const event of events.toReversed()) {
        this.#spans.push({ from: event.at, price, lots });
        price = times(price, event.reference, event.closeBefore);
        lots = times(lots, shares(event), MILLION);
      }
      this.#spans.push({ from: -Infinity, price, lots });
      return;
    }
    this.#spans.push({ from: -Infinity, price, lots });
    for (const event of events) {
      price = times(price, event.closeBefore, event.reference);
      lots = times(lots, MILLION, shares(event));
      this.#spans.unshift({ from: event.at, price, lots });
    }
  }

  /** Whether everything stays as it is. */
  get idle(): boolean {
    return this.#spans.length === 0;
  }

  /** A bar as it counts; it must not reach across an ex-date. */
  bar(bar: Candle): Candle {
    const span = this.#at(bar.at);
    if (!span) return bar;
    return {
      at: bar.at,
      open: scaled(bar.open, span.price),
      high: scaled(bar.high, span.price),
      low: scaled(bar.low, span.price),
      close: scaled(bar.close, span.price),
      volume: scaled(bar.volume, span.lots),
    };
  }

  /** Flat bars as they count; none may reach across an ex-date. */
  bars(flat: number[]): number[] {
    if (this.idle) return flat;
    const out: number[] = [];
    for (let from = 0; from + CANDLE_STRIDE <= flat.length; from += CANDLE_STRIDE) {
      const span = this.#at(flat[from] ?? 0);
      out.push(flat[from] ?? 0);
      for (let field = 1; field < CANDLE_STRIDE; field++) {
        const amount = flat[from + field] ?? 0;
        out.push(span ? scaled(amount, field === CANDLE_STRIDE - 1 ? span.lots : span.price) : amount);
      }
    }
    return out;
  }

  /** What a price at a moment is multiplied by. */
  factor(at: number): number {
    const span = this.#at(at);
    return span ? Number(span.price.over) / Number(span.price.under) : 1;
  }

  #at(at: number): Span | undefined {
    return this.#spans.find(({ from }) => at >= from);
  }
}
