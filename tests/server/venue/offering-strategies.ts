/** Simple strategies of who takes part in offerings: lotteries, auctions, raisings, placements; and in blocks and capital increases. */
import { isWithinCosts, roundTripOf } from "#contract/block-price.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { blockWindows } from "#server/venue/calendar/block-hours.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { UNWATCHED } from "#server/venue/simulator/watch-list.ts";
import { BlockSellers } from "#server/venue/simulator/block-sellers.ts";
import { IssueSchedule } from "#server/venue/simulator/issue-schedule.ts";
import { IssueTermsReader } from "#server/venue/simulator/issue-terms.ts";
import type { IssueTerms } from "#server/venue/simulator/issue-terms.ts";
import { ListedTable } from "#server/venue/simulator/listed-table.ts";
import { averageWinningPrice, crowdOf } from "#server/venue/simulator/offering-crowd.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { termsOf } from "#server/venue/simulator/corporate-actions.ts";
import { tOf } from "./strategy-table.ts";
import type { Row, Try } from "./strategy-table.ts";

export const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
export const ISSUES = 200;
/** Of some seventy strategies one or two are above two by chance. */
export const SIGNIFICANT = 2.5;
export const COMMISSION = 0.001_425;
const STOCK_TAX = 0.003;
export const taxOf = ({ kind }: Pick<IssueTerms, "kind">): number => (kind === "bond" ? 0 : kind === "fund" ? 0.001 : STOCK_TAX);

export interface Traded {
  terms: IssueTerms;
  seed: number;
  block: number;
  opens: number[];
  closes: number[];
}

export const calendar = calendarOf("always");
export const schedule = new IssueSchedule(calendar);

/** The first 21 sessions of every issue of some seeds. */
export function tradedIssues(): Traded[] {
  return SEEDS.flatMap((seed) => {
    const { models } = marketOf(seed, "always", ["2330"], { held: [], from: 0, until: ISSUES });
    const reader = new IssueTermsReader(Key.of(seed, "issues"), schedule);
    return models.slice(1).map((model, number): Traded => {
      if (!model) throw new Error("an issue without a model");
      const days = new DailyProcessReader(model, model.listed);
      const sessions = Array.from({ length: 21 }, () => days.next());
      return {
        terms: reader.read(number),
        seed,
        block: seed * 1_000 + Math.floor(model.listed / 20),
        opens: sessions.map(({ open }) => open),
        closes: sessions.map(({ close }) => close),
      };
    });
  });
}

type Picks<One> = (one: One) => boolean;
const rowOf = <One extends { block: number }>(
  group: string,
  name: string,
  all: readonly One[],
  picks: Picks<One>,
  gain: (one: One) => number,
): Row => ({
  group,
  name,
  ...tOf(all.filter(picks).map((one): Try => ({ block: one.block, value: gain(one) }))),
});

/** What a share brings after its costs: at the first open, or at a close. */
const soldAt =
  (session: number | null) =>
  ({ opens, closes, terms }: Traded): number =>
    (session === null ? (opens[0] ?? 0) : (closes[session] ?? 0)) * (1 - COMMISSION - taxOf(terms));

interface Lottery extends Traded {
  price: number;
  rate: number;
}

/** An application of one lot: the fees, and the chance of a win. The draw is fair, so its expectation stands for it. */
const applied =
  (session: number | null) =>
  (one: Lottery): number => {
    const gain = ((soldAt(session)(one) - one.price) * 1_000) / PRICE_ONE - 50;
    return (one.rate * gain - 20) / ((one.price * 1_000) / PRICE_ONE);
  };

function lotteries(traded: readonly Traded[]): Row[] {
  const all = traded
    .filter(({ terms }) => terms.kind === "share" || terms.kind === "bond")
    .map((one): Lottery => {
      const crowd = crowdOf(one.terms, Key.of(one.seed, "issues"));
      const price = one.terms.auctioned ? averageWinningPrice(one.terms, crowd.bids()) : one.terms.price;
      return { ...one, price, rate: Math.min(1, one.terms.lots / crowd.applications(price)) };
    });
  const isAuctioned = ({ terms }: Lottery): boolean => terms.auctioned;
  const plain = all.filter((one) => !isAuctioned(one));
  const of = (name: string, picks: Picks<Lottery>, session: number | null = null, from = plain): Row =>
    rowOf("lottery", name, from, picks, applied(session));
  return [
    of("every one, sold at the open", () => true),
    of("shares, sold at the open", ({ terms }) => terms.kind === "share"),
    of("shares, sold at the first close", ({ terms }) => terms.kind === "share", 0),
    of("shares, held 5 sessions", ({ terms }) => terms.kind === "share", 4),
    of("shares, held 20 sessions", ({ terms }) => terms.kind === "share", 19),
    of("bonds, sold at the open", ({ terms }) => terms.kind === "bond"),
    of("bonds, held 5 sessions", ({ terms }) => terms.kind === "bond", 4),
    of("cheap shares", ({ terms, price }) => terms.kind === "share" && price < 30 * PRICE_ONE),
    of("dear shares", ({ terms, price }) => terms.kind === "share" && price > 80 * PRICE_ONE),
    of("many lots", ({ terms }) => terms.lots > 220),
    of("few lots", ({ terms }) => terms.lots < 120),
    of("listed board", ({ terms }) => terms.board === "listed"),
    of("OTC board", ({ terms }) => terms.board === "otc"),
    of("after an auction", isAuctioned, null, all),
    of("after an auction that reached the cap", (one) => isAuctioned(one) && one.price === one.terms.price, null, all),
  ];
}

const BID_FEE = 400;
const BID_LOTS = 10;
const AWARD = 0.04;

function auctions(traded: readonly Traded[]): Row[] {
  const all = traded
    .filter(({ terms }) => terms.auctioned)
    .map((one) => {
      let left = one.terms.auctionLots;
      const last = crowdOf(one.terms, Key.of(one.seed, "issues"))
        .bids()
        .find(({ lots }) => (left -= lots) <= 0);
      return { ...one, last: last?.price ?? one.terms.minimumPrice };
    });
  const gain =
    (part: number, session: number | null) =>
    (one: (typeof all)[number]): number => {
      const bid = one.terms.minimumPrice * part;
      const fee = (BID_FEE * PRICE_ONE) / (bid * BID_LOTS * 1_000);
      return bid > one.last ? (soldAt(session)(one) - bid * (1 + AWARD)) / bid - fee : -fee;
    };
  const parts = [1, 1.1, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5];
  return [
    ...parts.map((part) => rowOf("auction", `bid ${part.toFixed(2)} of the minimum, sold at the open`, all, () => true, gain(part, null))),
    rowOf("auction", "bid 1.30 of the minimum, held 5 sessions", all, () => true, gain(1.3, 4)),
    rowOf("auction", "bid 1.30 of the minimum for large auctions", all, ({ terms }) => terms.auctionLots > 800, gain(1.3, null)),
  ];
}

const RAISE_FEE = 0.001;

function fixedPrices(traded: readonly Traded[]): Row[] {
  const row = (kind: "fund" | "placement", name: string, session: number | null, fee: number): Row =>
    rowOf(
      kind === "fund" ? "raise" : kind,
      name,
      traded,
      ({ terms }) => terms.kind === kind,
      (one) => soldAt(session)(one) / one.terms.price - 1 - fee,
    );
  return [
    row("fund", "subscribed, sold at the open", null, RAISE_FEE),
    row("fund", "subscribed, held 5 sessions", 4, RAISE_FEE),
    row("fund", "subscribed, held 20 sessions", 19, RAISE_FEE),
    row("placement", "all of it, sold at the open", null, 0),
    row("placement", "all of it, held 5 sessions", 4, 0),
    row("placement", "all of it, held 20 sessions", 19, 0),
  ];
}

const BLOCK_CODES = [
  "2330",
  "2317",
  "2454",
  "2603",
  "2881",
  "2882",
  "2002",
  "1301",
  "1303",
  "2412",
  "3008",
  "2308",
  "2886",
  "5880",
  "1101",
  "2883",
];
const BLOCK_SESSIONS = 25;
const BLOCK_COSTS = roundTripOf({ feePerMillion: 1_425, taxPerMillion: 3_000 }, { seatFeePerMillion: 855, rebatePerMillion: 200_000 });

interface Block {
  block: number;
  /** Its price, and the close of its session, the next open and the next close as parts of it. */
  discount: number;
  allowed: boolean;
  open: number;
  close: number;
  later: number;
}

/** Blocks bought in the last slot of each session, where the market's close is known. */
function readBlocks(): Block[] {
  return SEEDS.flatMap((seed) => {
    const market = marketOf(seed, "always", BLOCK_CODES);
    const { instruments } = new ListedTable(market);
    const [never, watch] = [(): boolean => false, () => UNWATCHED];
    const sellers = new BlockSellers(market, instruments, never, watch);
    const first = calendar.anchor + 5;
    const sessions = Array.from({ length: BLOCK_SESSIONS }, (_, nth) => first + 4 * nth);
    return sessions.flatMap((session) => {
      const last = blockWindows(calendar, session).at(-1);
      if (!last) return [];
      return sellers.offers(last.until - 1).map(({ row, price }): Block => {
        const model = market.models[row];
        if (!model) throw new Error("a block without a model");
        const days = new DailyProcessReader(model, session);
        const [today, next, ...more] = Array.from({ length: 6 }, () => days.next());
        const pays = today?.close ?? 0;
        return {
          block: seed * 1_000 + session,
          discount: (pays - price) / pays,
          allowed: isWithinCosts({ price, market: pays }, BLOCK_COSTS),
          open: (next?.open ?? 0) / price,
          close: (next?.close ?? 0) / price,
          later: (more.at(-1)?.close ?? 0) / price,
        };
      });
    });
  });
}

function blocks(): Row[] {
  const all = readBlocks().filter(({ allowed }) => allowed);
  const net = (pays: number): number => (pays * (1 - COMMISSION - STOCK_TAX)) / (1 + COMMISSION) - 1;
  const of = (name: string, picks: Picks<Block>, pays: (one: Block) => number): Row =>
    rowOf("block", name, all, picks, (one) => net(pays(one)));
  return [
    of(
      "every offer, sold at the next open",
      () => true,
      ({ open }) => open,
    ),
    of(
      "every offer, sold at the next close",
      () => true,
      ({ close }) => close,
    ),
    of(
      "every offer, held 5 sessions",
      () => true,
      ({ later }) => later,
    ),
    of(
      "the larger discounts, sold at the next open",
      ({ discount }) => discount > 0.002,
      ({ open }) => open,
    ),
    of(
      "the larger discounts, held 5 sessions",
      ({ discount }) => discount > 0.002,
      ({ later }) => later,
    ),
    of(
      "at a premium, held 5 sessions",
      ({ discount }) => discount < 0,
      ({ later }) => later,
    ),
  ];
}

/** Capital increases of a seed that are tried. */
const INCREASES = 200;
const INCREASE_SEEDS = [1, 2, 3];

interface Increase {
  block: number;
  /** Per share, as parts of the reference price: the close before, the new price, the right's worth, the open, the close of the window, the delivery. */
  before: number;
  price: number;
  worth: number;
  open: number;
  window: number;
  listed: number;
  ratio: number;
}

function readIncreases(): Increase[] {
  return INCREASE_SEEDS.flatMap((seed) => {
    const { models } = marketOf(seed, "always");
    const events = models.flatMap((model) =>
      (model?.events ?? [])
        .filter(({ kind, session }) => kind === "rights" && session > calendar.anchor)
        .map((event) => ({ model, event })),
    );
    return events.slice(0, INCREASES).map(({ model, event }): Increase => {
      if (!model) throw new Error("an increase without a model");
      const days = new DailyProcessReader(model, event.session - 1);
      const [before, ex, , , window, , , listed] = Array.from({ length: 8 }, () => days.next());
      const close = before?.close ?? 0;
      const { reference, rightsPrice } = termsOf(event, model.kind, close);
      const part = (amount: number | undefined): number => (amount ?? 0) / reference;
      return {
        block: seed * 1_000_000 + Math.floor(event.session / 10),
        before: part(close),
        price: part(rightsPrice),
        worth: Math.max(0, 1 - part(rightsPrice)),
        open: part(ex?.open),
        window: part(window?.close),
        listed: part(listed?.open),
        ratio: event.rightsMillionths / 1_000_000,
      };
    });
  });
}

/** Against a right that is paid out on the ex-date, which is what every other position gets. */
function increases(): Row[] {
  const all = readIncreases();
  const sell = 1 - COMMISSION - STOCK_TAX;
  const used = ({ listed, price, worth }: Increase): number => listed * sell - price - worth;
  const lapsed = ({ window, price, worth }: Increase): number => Math.min(worth, Math.max(0, window - price)) - worth;
  const of = (name: string, gain: (one: Increase) => number, picks: Picks<Increase> = () => true): Row =>
    rowOf("increase", name, all, picks, gain);
  /** A share bought at the close before the ex-date and sold at the open of it, with what its right brings. */
  const caught = (right: (one: Increase) => number) => (one: Increase) =>
    (one.open * sell + one.ratio * (one.worth + right(one)) - one.before * (1 + COMMISSION)) / one.before;
  return [
    of("used, sold when it can be", used),
    of("left to lapse", lapsed),
    of("used after a rise in the window, else left to lapse", (one) => (one.window > 1 ? used(one) : lapsed(one))),
    of("used after a fall in the window, else left to lapse", (one) => (one.window < 1 ? used(one) : lapsed(one))),
    of("large discounts, used", used, ({ worth }) => worth > 0.18),
    of("small discounts, left to lapse", lapsed, ({ worth }) => worth < 0.14),
    of("bought before the ex-date for the right, used", caught(used)),
    of("bought before the ex-date for the right, left to lapse", caught(lapsed)),
    of(
      "sold before the ex-date, bought back at its open",
      ({ before, open, ratio, worth }) => (before * sell - open * (1 + COMMISSION) - ratio * worth) / before,
    ),
  ];
}

/** Every strategy of who takes part. */
export function offeringTable(traded: readonly Traded[]): Row[] {
  return [...lotteries(traded), ...auctions(traded), ...fixedPrices(traded), ...blocks(), ...increases()];
}
