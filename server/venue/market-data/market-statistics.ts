/** Statistics over the whole market that many clients ask for: rankings, sector heat and index contributions. */
import type { Instrument } from "#contract/instrument.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { RankView } from "#contract/quote.ts";
import { contributionOf } from "./index-contribution.ts";
import type { MarketColumns } from "./market-columns.ts";
import { Rank } from "./ranking.ts";
import { heatOf } from "./sector-heat.ts";
import { TtlCache } from "./ttl-cache.ts";

/** The indices of a market. */
export interface Indices {
  /** The rows of the indices. */
  readonly rows: readonly number[];
  /** The rows an index consists of. */
  constituents(row: number): readonly number[];
}

/** Each answer is computed at most once a second for all callers. */
export class MarketStatistics {
  readonly #indices: Indices;
  readonly #rank: Rank;
  readonly #heat: TtlCache<null, number[]>;
  readonly #contribution: TtlCache<number, Contribution>;

  constructor(market: MarketColumns, indices: Indices) {
    this.#indices = indices;
    this.#rank = new Rank(market);
    this.#heat = new TtlCache((_all, now) => heatOf(market, now));
    this.#contribution = new TtlCache((row) => contributionOf(market, row, indices.constituents(row)));
  }

  /** Adds an instrument that the market lists from now on. */
  add(instrument: Instrument): void {
    this.#rank.add(instrument);
  }

  /** The first rows of a ranking, best first. */
  rank(view: RankView, now: number): number[] {
    return this.#rank.first(view, now);
  }

  /** Flat HEAT_FIELDS in category order. */
  heat(now: number): number[] {
    return this.#heat.get(null, now);
  }

  /** The breadth and the largest contributors of an index; null for a row that is no index. */
  contribution(row: number, now: number): Contribution | null {
    return this.#indices.rows.includes(row) ? this.#contribution.get(row, now) : null;
  }
}
