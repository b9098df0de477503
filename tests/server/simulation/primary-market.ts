/** The issuers of a simulation: offerings of every kind with their crowds, and capital increases of what members hold. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Instrument } from "#contract/instrument.ts";
import { DAY_MS, HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import { MILLION } from "#contract/rule.ts";
import { toTick } from "#contract/tick.ts";
import type { FundFacts, Increase, Issue, SealedBid } from "#server/venue/issue.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import type { Random } from "./random.ts";
import type { PrimaryMarket, World } from "./world.ts";

const ROWS = 80;
const LEAD = { zh: "承銷", zhCn: "承销", en: "Lead" };

/** Instruments of issues, which nobody trades before they are listed. */
export const issueRows = (firstRow: number): Instrument[] =>
  Array.from({ length: ROWS }, (_, nth) => fakeInstrument(firstRow + nth, `N${String(nth).padStart(4, "0")}`, { shortable: false }));

export const openPrimary = (firstRow: number): PrimaryMarket => ({
  firstRow,
  issues: [],
  increases: [],
  dueIncrease: null,
  offered: [],
});

/** Moments one after the other, hours to a day apart. */
function momentsAfter(random: Random, at: number): () => ReturnType<typeof epochMs> {
  let moment = at;
  return () => epochMs((moment += random.pick([3 * HOUR_MS, 12 * HOUR_MS, DAY_MS])));
}

/** Bids of the crowd around a minimum price, the highest first. */
function crowdBids(random: Random, minimum: number): SealedBid[] {
  const bids = Array.from({ length: random.int(0, 12) }, () => ({
    price: toTick("stock", Math.round((minimum * random.int(100, 140)) / 100)),
    lots: random.int(1, 8),
  }));
  return bids.toSorted((a, b) => b.price - a.price);
}

/** The end of three funds of four: of those with an end, only some are held by a member until then. */
function drawTerm(
  random: Random,
  next: () => ReturnType<typeof epochMs>,
): Omit<FundFacts, "distributions" | "yieldPerMillion" | "indexCode"> {
  if (random.int(0, 3) === 0) return { maturesAt: null };
  const [noticeAt, lastTradedAt] = [next(), next()];
  return { noticeAt, lastTradedAt, maturesAt: next() };
}

function drawIssue(world: World, primary: PrimaryMarket, kind: Issue["kind"], isAuctioned: boolean): PrimaryMarket["issues"][number] {
  const { random, clock } = world;
  const row = primary.firstRow + primary.issues.length;
  const code = world.venue.instruments[row]?.code ?? "";
  const next = momentsAfter(random, clock.now);
  const minimumPrice = random.int(10, 90) * PRICE_ONE;
  const lots = random.int(1, 12);
  const bids = crowdBids(random, minimumPrice);
  const auction = isAuctioned ? { opensAt: next(), closesAt: next(), openedAt: next(), minimumPrice, lots: random.int(5, 40) } : null;
  const [opensAt, closesAt] = [next(), next()];
  const isFund = kind === "fund";
  const drawnAt = isFund ? null : next();
  const issue: Issue = {
    number: row,
    row,
    code,
    kind,
    board: "listed",
    category: "24",
    zh: code,
    zhCn: code,
    en: code,
    price: auction ? Math.floor((minimumPrice * 13) / 10) : minimumPrice,
    lots: isFund ? lots * 10 : lots,
    auction,
    leadBroker: LEAD,
    announcedAt: epochMs(clock.now),
    opensAt,
    closesAt,
    drawnAt,
    payableUntil: isFund ? closesAt : next(),
    allottedAt: next(),
    tradesFrom: next(),
    ...(isFund ? { fund: { distributions: 0, yieldPerMillion: 0, indexCode: null, ...drawTerm(random, next) } } : {}),
  };
  // What has a term is traded until its end.
  const instrument = world.venue.instruments[row];
  if (instrument && issue.fund?.maturesAt) instrument.tradesUntil = issue.fund.maturesAt;
  const applications = random.int(0, 6);
  return { issue, crowd: { applications: () => applications, lotsAsked: random.int(0, 2 * issue.lots), bids: () => bids } };
}

/** An increase of a share whose ex-date is tomorrow. */
function drawIncrease({ random, clock, venue }: World): Increase {
  const { code, row } = random.pick(venue.instruments.filter(({ kind, row: at }) => kind === "stock" && at < 5));
  const exAt = taipeiMidnight(taipeiDay(clock.now) + 1);
  const next = momentsAfter(random, exAt + 9 * HOUR_MS);
  const [opensAt, closesAt] = [next(), next()];
  return {
    code,
    ratioPerMillion: random.int(1, 30) * 10_000,
    provisionalPrice: toTick("stock", Math.round((venue.quote(row).last * random.int(70, 90)) / 100)),
    leadBroker: LEAD,
    announcedAt: epochMs(clock.now),
    exAt: epochMs(exAt),
    opensAt,
    closesAt,
    payableUntil: closesAt,
    allottedAt: next(),
    tradesFrom: next(),
  };
}

/** Announces something new. @returns what */
export function announce(world: World, primary: PrimaryMarket): string {
  const { random, venue } = world;
  const isFull = primary.issues.length >= ROWS;
  const kind = random.weighted({ share: 4, auction: 6, bond: 1, placement: 2, fund: 6, increase: 3 });
  if (isFull && kind !== "increase") return "no more issues";
  if (kind === "increase") {
    if (primary.dueIncrease) return "no second increase";
    const one = drawIncrease(world);
    primary.dueIncrease = one;
    primary.increases.push(one);
    venue.setIncreases(primary.increases);
    return `increase of ${one.code}`;
  }
  const made = drawIssue(world, primary, kind === "auction" ? "share" : kind, kind === "auction");
  primary.issues.push(made);
  venue.setIssues(primary.issues);
  return `${kind} ${made.issue.code}`;
}

/** The ex-event of an increase whose day has come; one that a longer pause has jumped over never comes, and is void. */
export function takeIncrease(primary: PrimaryMarket, day: number, close: number): { code: string; action: CorporateAction } | null {
  const one = primary.dueIncrease;
  if (!one) return null;
  primary.dueIncrease = null;
  if (one.exAt !== day) return null;
  const { code, ratioPerMillion, provisionalPrice } = one;
  const rightsPrice = Math.min(provisionalPrice, close);
  const reference = Math.round((close + (rightsPrice * ratioPerMillion) / MILLION) / (1 + ratioPerMillion / MILLION));
  return {
    code,
    action: {
      at: one.exAt,
      kind: "rights",
      cash: price(0),
      freeMillionths: 0,
      rightsMillionths: ratioPerMillion,
      rightsPrice: price(rightsPrice),
      closeBefore: price(close),
      reference: price(reference),
    },
  };
}
