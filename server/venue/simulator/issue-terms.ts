/** The terms of every new issue, a pure function of the market's seed and the issue's number, and the fair value nobody is told. */
import type { Board, Category } from "#contract/instrument.ts";
import type { Kind } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { toTick, toTickBelow } from "#contract/tick.ts";
import type { IssueKind, TradeNames } from "#server/venue/issue.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { INDUSTRY_TABLE } from "#server/venue/reference-data/categories.ts";
import { FUND_STYLES, bondNames, companyNames, fundNames, leadBroker } from "#server/venue/reference-data/issue-names.ts";
import type { Style } from "#server/venue/reference-data/style.ts";
import { normal, unit } from "#server/venue/seeded-random.ts";
import type { IssueSchedule } from "./issue-schedule.ts";

/** The lottery's fees in currency units: for an application, and for delivery to a winner. */
const APPLICATION_FEE = 20;
const DELIVERY_FEE = 50;
/** What selling costs, as a part of the price: commission, and transaction tax of a share. */
const COMMISSION = 0.001_425;
const TAX = 0.003;

/** The gain of one lot that the crowd expects in a lottery, in currency units: the median, its spread, and bounds. */
const GAIN = { median: 3_500, spread: 0.7, least: 800, most: 15_000 };
/** Bounds of the premium it may be of the underwriting price. */
const PREMIUM = { least: 0.012, most: 0.45 };
/** How far the worth of an issue is from what the crowd expects, as a standard deviation of logarithms. */
const SURPRISE: Readonly<Record<IssueKind, number>> = { share: 0.1, bond: 0.03, fund: 0.008, placement: 0.08 };
/** A placement is expected to be worth what selling it costs and not more; a fund lists at its net asset value after costs. */
const PLACEMENT_PREMIUM = 0.004_4;
const FUND_COSTS = 0.003;
/** One in so many lotteries is for a bond. */
const BOND_SHARE = 0.3;
const BOND_PRICE = 100;

/** Positions of the draws of an issue. */
const DRAW = {
  kind: 1,
  board: 2,
  industry: 3,
  price: 4,
  gain: 5,
  surprise: 6,
  size: 7,
  lots: 8,
  style: 9,
  broker: 10,
  minimum: 11,
  asked: 12,
  order: 13,
  term: 14,
} as const;

/** The part of the funds that have a term. */
const TERM_SHARE = 0.5;

export interface IssueTerms {
  number: number;
  kind: IssueKind;
  auctioned: boolean;
  code: string;
  names: TradeNames;
  instrumentKind: Kind;
  board: Board;
  category: Category["code"];
  style: Style;
  issuedThousands: number;
  leadBroker: TradeNames;
  /** Underwriting price in price units; before an auction the most that it can become. */
  price: number;
  minimumPrice: number;
  lots: number;
  auctionLots: number;
  /** Secret: what the crowd expects it to be worth, and what its first session starts from. */
  expected: number;
  fair: number;
  /** Secret: lots the crowd asks for in a placement or a raising. */
  lotsAsked: number;
  /** Sessions in which a fund with a term trades; null for what has none. */
  term: number | null;
}

const INDUSTRIES = INDUSTRY_TABLE.trim()
  .split("\n")
  .map((line) => {
    const [code = "", , , , listed, otc] = line.split("|");
    return { code, listed: Number(listed), otc: Number(otc) };
  });

/** Companies on each board. */
const COMPANIES = {
  listed: INDUSTRIES.reduce((sum, { listed }) => sum + listed, 0),
  otc: INDUSTRIES.reduce((sum, { otc }) => sum + otc, 0),
};

/** The winning rate of a lottery at which an application is worth its fees to the crowd; more than 1 where it never is. */
export function winningRate({ kind, expected }: Pick<IssueTerms, "kind" | "expected">, price: number): number {
  const selling = expected * (COMMISSION + (kind === "bond" ? 0 : TAX));
  const gain = ((expected - price - selling) * 1000) / PRICE_ONE - DELIVERY_FEE;
  return gain > 0 ? APPLICATION_FEE / gain : Infinity;
}

const CODE_END: Readonly<Record<IssueKind, string>> = { share: "", bond: "B", fund: "F", placement: "" };
const codeOf = (number: number, kind: IssueKind): string => `N${String(number).padStart(4, "0")}${CODE_END[kind]}`;
const CODE = /^N(\d{4,9})[BF]?$/;

/** The number that a code could be of; null where it is no new issue's. */
export function numberOf(code: string): number | null {
  const [, digits] = CODE.exec(code) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The sorts of the issues that are no plain lottery; every three of them in an order of their own. */
const SORTS = ["auction", "fund", "placement"] as const;
const ORDERS: readonly (readonly [number, number, number])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** Draws the terms of issues; the same key and number give the same terms. */
export class IssueTermsReader {
  readonly #key: Key;
  readonly #schedule: IssueSchedule;
  /** Where the names of this market begin. */
  readonly #names: number;

  constructor(key: Key, schedule: IssueSchedule) {
    this.#key = key;
    this.#schedule = schedule;
    this.#names = key.draw(PURPOSE.issue, -1) & 0x3ff;
  }

  #unit(number: number, place: number): number {
    return unit(this.#key.draw(PURPOSE.issue, number, place));
  }

  #normal(number: number, place: number): number {
    return normal(this.#key.draw(PURPOSE.issue, number, place));
  }

  #sort(number: number): { kind: IssueKind; auctioned: boolean } {
    const { lottery, nth } = this.#schedule.place(number);
    if (lottery) return { kind: this.#unit(number, DRAW.kind) < BOND_SHARE ? "bond" : "share", auctioned: false };
    const order = ORDERS[Math.floor(this.#unit(Math.floor(nth / SORTS.length), DRAW.order) * ORDERS.length)];
    const sort = SORTS[order?.[nth % SORTS.length] ?? 0] ?? "auction";
    return sort === "auction" ? { kind: "share", auctioned: true } : { kind: sort, auctioned: false };
  }

  /** An industry of a board, in proportion to the number of its companies. */
  #industry(number: number, board: "listed" | "otc"): string {
    let left = this.#unit(number, DRAW.industry) * COMPANIES[board];
    return INDUSTRIES.find((one) => (left -= one[board]) < 0)?.code ?? "20";
  }

  /** What an issue is worth: what the crowd expects, and a surprise that is zero on average. */
  #worth(number: number, kind: IssueKind, expected: number): number {
    const deviation = SURPRISE[kind];
    return expected * Math.exp(deviation * this.#normal(number, DRAW.surprise) - (deviation * deviation) / 2);
  }

  /** The underwriting price of a share that costs about 15 to 180 in currency units. */
  #sharePrice(number: number): number {
    return Math.min(180, Math.max(15, 45 * Math.exp(0.55 * this.#normal(number, DRAW.price)))) * PRICE_ONE;
  }

  /** A premium such that a lot gains what the crowd of a lottery expects. */
  #premium(number: number, price: number): number {
    const drawn = GAIN.median * Math.exp(GAIN.spread * this.#normal(number, DRAW.gain));
    const gain = Math.min(GAIN.most, Math.max(GAIN.least, drawn));
    return Math.min(PREMIUM.most, Math.max(PREMIUM.least, (gain * PRICE_ONE) / (price * 1000)));
  }

  #prices(number: number, kind: IssueKind, auctioned: boolean): Pick<IssueTerms, "price" | "minimumPrice" | "expected" | "fair"> {
    if (kind === "fund") {
      const price = toTick("etf", Math.round((10 + 5 * this.#unit(number, DRAW.price)) * PRICE_ONE));
      const expected = price * (1 - FUND_COSTS);
      return { price, minimumPrice: 0, expected, fair: this.#worth(number, kind, expected) };
    }
    if (auctioned) {
      const expected = this.#sharePrice(number);
      const fair = this.#worth(number, kind, expected);
      const minimumPrice = toTick("stock", Math.round(expected * (0.7 + 0.1 * this.#unit(number, DRAW.minimum))));
      return { price: toTickBelow("stock", Math.floor((minimumPrice * 13) / 10)), minimumPrice, expected, fair };
    }
    const price = kind === "bond" ? BOND_PRICE * PRICE_ONE : toTick("stock", Math.round(this.#sharePrice(number)));
    const premium = kind === "placement" ? PLACEMENT_PREMIUM : this.#premium(number, price);
    const expected = price * (1 + premium);
    return { price, minimumPrice: 0, expected, fair: this.#worth(number, kind, expected) };
  }

  #lots(number: number, kind: IssueKind): Pick<IssueTerms, "lots" | "auctionLots" | "issuedThousands" | "lotsAsked"> {
    const size = this.#unit(number, DRAW.size);
    const asked = this.#unit(number, DRAW.asked);
    const lots = Math.round(60 + 240 * this.#unit(number, DRAW.lots));
    switch (kind) {
      case "share":
        return { lots, auctionLots: lots * 4, issuedThousands: Math.round(30_000 + 90_000 * size), lotsAsked: 0 };
      case "bond":
        return { lots, auctionLots: 0, issuedThousands: Math.round(5_000 + 10_000 * size), lotsAsked: 0 };
      case "placement": {
        const placed = lots * 10;
        const lotsAsked = Math.round(placed * (0.8 + 2.2 * asked));
        return { lots: placed, auctionLots: 0, issuedThousands: Math.round(30_000 + 90_000 * size), lotsAsked };
      }
      case "fund": {
        const offered = lots * 400;
        const lotsAsked = Math.round(offered * (0.45 + 0.75 * asked));
        return { lots: offered, auctionLots: 0, issuedThousands: offered, lotsAsked };
      }
    }
  }

  /** The term of a fund, from the schedule's least to its most. */
  #term(number: number, kind: IssueKind): number | null {
    const { least, most } = this.#schedule.term;
    const drawn = this.#unit(number, DRAW.term) / TERM_SHARE;
    return kind === "fund" && this.#schedule.hasTerms(number) && drawn < 1 ? least + Math.floor(drawn * (most - least + 1)) : null;
  }

  #identity(
    number: number,
    kind: IssueKind,
    term: number | null,
  ): Pick<IssueTerms, "names" | "instrumentKind" | "board" | "category" | "style"> {
    const nth = this.#names + number;
    if (kind === "fund") {
      const style = FUND_STYLES[Math.floor(this.#unit(number, DRAW.style) * FUND_STYLES.length)] ?? "m";
      return { names: fundNames(nth, style, term !== null), instrumentKind: "etf", board: "listed", category: "etf", style };
    }
    const board = this.#unit(number, DRAW.board) < 0.4 ? "listed" : "otc";
    const industry = this.#industry(number, board);
    if (kind === "bond") return { names: bondNames(nth, industry), instrumentKind: "bond", board: "otc", category: "bond", style: "p" };
    return { names: companyNames(nth, industry), instrumentKind: "stock", board, category: industry, style: "s" };
  }

  read(number: number): IssueTerms {
    const { kind, auctioned } = this.#sort(number);
    const term = this.#term(number, kind);
    return {
      number,
      kind,
      auctioned,
      code: codeOf(number, kind),
      leadBroker: leadBroker(Math.floor(this.#unit(number, DRAW.broker) * 64)),
      term,
      ...this.#identity(number, kind, term),
      ...this.#prices(number, kind, auctioned),
      ...this.#lots(number, kind),
    };
  }
}
