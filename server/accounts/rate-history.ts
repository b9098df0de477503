/** Follows the mid rates of all currencies and estimates how far each moves within fifteen seconds. */
import { CURRENCIES, pairOf } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { midRateOf } from "#server/trading/clearing/mid-rates.ts";
import type { Venue } from "#server/venue/venue.ts";

const BUCKET_MS = 15 * SECOND_MS;
/** Ten minutes of them. */
const BUCKETS = 40;
const MILLION = 1_000_000;

/** The last mid rate of each quarter of a minute, oldest first. */
interface Sample {
  bucket: number;
  mid: number;
}

const valueOf = ({ numerator, denominator }: MidRate): number => numerator / denominator;

export class RateHistory {
  readonly #samples = new Map<Currency, Sample[]>();
  readonly #currencyOf = new Map<number, Currency>();
  readonly #venue: Venue;
  readonly #now: () => number;

  constructor(venue: Venue, now: () => number) {
    this.#venue = venue;
    this.#now = now;
    for (const currency of CURRENCIES) {
      const row = venue.instrument(pairOf(currency) ?? "")?.row;
      if (row !== undefined) this.#currencyOf.set(row, currency);
    }
  }

  /** Begins to follow the market. @returns a function that stops it */
  start(): () => void {
    for (const currency of this.#currencyOf.values()) this.#note(currency);
    return this.#venue.onChange((rows) => {
      for (const row of rows) {
        const currency = this.#currencyOf.get(row);
        if (currency) this.#note(currency);
      }
    });
  }

  #note(currency: Currency): void {
    const rate = midRateOf(this.#venue, currency);
    if (!rate) return;
    const bucket = Math.floor(this.#now() / BUCKET_MS);
    const kept = this.#samples.get(currency) ?? [];
    if (kept.at(-1)?.bucket === bucket) kept.pop();
    kept.push({ bucket, mid: valueOf(rate) });
    this.#samples.set(currency, kept.slice(-BUCKETS));
  }

  /** The standard deviation of a currency's moves within fifteen seconds, in parts per million; 0 before two samples. */
  deviation(currency: Currency): number {
    const samples = this.#samples.get(currency) ?? [];
    const squares = samples.slice(1).map(({ bucket, mid }, nth) => {
      const before = samples[nth];
      // A quiet stretch is one move over its whole length.
      return before ? Math.log(mid / before.mid) ** 2 / (bucket - before.bucket) : 0;
    });
    if (squares.length === 0) return 0;
    return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length) * MILLION;
  }
}
