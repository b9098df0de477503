/** Adjusts bars across ex-events, using exact fractions and one rounding per value. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle } from "#contract/candle.ts";
import type { Adjustment, CorporateAction } from "#contract/corporate-action.ts";

/** An adjustment factor as an exact fraction. */
interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** The factors between two ex-events, and when that span begins. */
interface Span {
  from: number;
  price: Fraction;
  lots: Fraction;
}

const ONE: Fraction = { numerator: 1n, denominator: 1n };
const MILLION = 1_000_000;

/** Multiplies a fraction by `numerator / denominator` and reduces it. */
function times(by: Fraction, numerator: number, denominator: number): Fraction {
  const product = { numerator: by.numerator * BigInt(numerator), denominator: by.denominator * BigInt(denominator) };
  let [a, b] = [product.numerator, product.denominator];
  while (b > 0n) [a, b] = [b, a % b];
  return { numerator: product.numerator / a, denominator: product.denominator / a };
}

/** Multiplies an amount by a fraction, rounded to the nearest integer, halves up. */
function scaled(amount: number, { numerator, denominator }: Fraction): number {
  return numerator === denominator ? amount : Number((2n * BigInt(amount) * numerator + denominator) / (2n * denominator));
}

export class Adjuster {
  /** Newest first. */
  readonly #spans: Span[] = [];

  /**
   * Prices before an ex-date are multiplied by `reference / closeBefore`, lots by the growth in shares. `forward` scales the past
   * down to today's shares; `backward` scales later bars up to the shares of the past.
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

  /** Whether the adjustment changes nothing. */
  get idle(): boolean {
    return this.#spans.length === 0;
  }

  /** Adjusts a bar, which must not span an ex-date. */
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

  /** Adjusts flat bars, none of which may span an ex-date. */
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

  /** The price factor at a moment. */
  factor(at: number): number {
    const span = this.#at(at);
    return span ? Number(span.price.numerator) / Number(span.price.denominator) : 1;
  }

  #at(at: number): Span | undefined {
    return this.#spans.find(({ from }) => at >= from);
  }
}
