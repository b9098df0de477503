/**
 * Benchmark of what response times tell of a sealed auction: requests about an auction without bids of others and about one with thousands, in
 * random order; and requests that name no auction, with and without these bids. For each: the medians, and how often one of the one sort takes
 * longer than one of the other, which is a half where nothing can be told.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Code } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { AT, announce, bid, newBidder, openAuctionBroker, passHours } from "#tests/server/auctions/fixture.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const BIDS = 5_000;
const ROUNDS = 3_000;
/** Commands of the outsider are counted by the rate limit, so that the clock of the broker moves on between them. */
const PAUSE_MS = 1_000;
const BLOCKS = 48;
/** The first requests of a block warm everything up. */
const WARM = 12;
/** Standard errors beyond which a difference is no chance. */
const TELLING = 4;

/** Bids of another member like one that was placed, made by the database alone: those that read an auction do not see how. */
const MAKE = `INSERT INTO bid SELECT (json_populate_record(bid, json_build_object('id', $3::bigint + n, 'request_id', gen_random_uuid(),
  'bid_no', 'A' || substr(encode(sha256(($3::bigint + n)::text::bytea), 'hex'), 1, 12)))).* FROM bid, generate_series(1, $2::integer) AS n WHERE bid_no = $1`;
/** Where the numbers of those begin that stay as if from earlier auctions, and of those that come and go. */
const EARLIER = 500_000;
const COMING = 1_000_000;
const REMOVE = `DELETE FROM bid WHERE id > ${COMING}`;

type Sort = "none" | "many";
type Ask = (sort: Sort) => Promise<unknown>;

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await ask().catch(() => undefined);
  return performance.now() - from;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The part of all pairs in which the one of `many` took longer, as Mann and Whitney count it, and its distance from a half in standard errors. */
function compare(none: readonly number[], many: readonly number[]): { part: number; errors: number } {
  const all = [...none.map((ms) => ({ ms, rank: 0, isMany: false })), ...many.map((ms) => ({ ms, rank: 0, isMany: true }))];
  all.sort((a, b) => a.ms - b.ms);
  const ranks = all.reduce((sum, { isMany }, nth) => sum + (isMany ? nth + 1 : 0), 0);
  const pairs = none.length * many.length;
  const part = (ranks - (many.length * (many.length + 1)) / 2) / pairs;
  return { part, errors: (part - 0.5) / Math.sqrt((all.length + 1) / (12 * pairs)) };
}

function figuresOf(what: string, { none, many }: Record<Sort, number[]>): Figure[] {
  const { part, errors } = compare(none, many);
  return [
    { what: `${what}: median without bids`, value: median(none) * 1_000, unit: "µs" },
    { what: `${what}: median with ${BIDS}`, value: median(many) * 1_000, unit: "µs" },
    { what: `${what}: slower with them in`, value: part * 100, unit: "% of pairs" },
    { what: `${what}: distance from a half`, value: Math.abs(errors), unit: "standard errors", budget: TELLING, row: "sealed bids" },
  ];
}

/** Asks about both auctions in random order, each as often. */
async function interleaved(what: string, rounds: number, ask: Ask): Promise<Figure[]> {
  const times: Record<Sort, number[]> = { none: [], many: [] };
  for (let nth = 0; nth < rounds + 50; nth += 1) {
    const order: Sort[] = Math.random() < 0.5 ? ["none", "many"] : ["many", "none"];
    for (const sort of order) {
      const ms = await timed(() => ask(sort));
      if (nth >= 50) times[sort].push(ms);
    }
  }
  return figuresOf(what, times);
}

/** The figures of pairs of blocks, one after the other: how many are slower with the bids in, and how far that is from a half by Wilcoxon's signed ranks. */
function pairFigures(what: string, { none, many }: Record<Sort, number[]>): Figure[] {
  const differences = none.map((ms, nth) => (many[nth] ?? 0) - ms).toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const count = differences.length;
  const ranks = differences.reduce((sum, one, nth) => sum + (one > 0 ? nth + 1 : 0), 0);
  const errors = (ranks - (count * (count + 1)) / 4) / Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  const slower = differences.filter((one) => one > 0).length / count;
  return [
    { what: `${what}: median without bids`, value: median(none) * 1_000, unit: "µs" },
    { what: `${what}: median with ${BIDS}`, value: median(many) * 1_000, unit: "µs" },
    { what: `${what}: slower with them in`, value: slower * 100, unit: "% of pairs" },
    { what: `${what}: distance from a half`, value: Math.abs(errors), unit: "standard errors", budget: TELLING, row: "sealed bids" },
  ];
}

/**
 * Asks everything with and without the bids of others, in pairs of blocks in random order, so that what the machine does besides meets both. A block
 * counts once, by its median: its requests have much in common. The database does the same work before a block of either sort.
 */
async function inBlocks(broker: TestBroker, like: string, rounds: number, asks: Record<string, () => Promise<unknown>>): Promise<Figure[]> {
  const times = new Map<string, Record<Sort, number[]>>(Object.keys(asks).map((what) => [what, { none: [], many: [] }]));
  const make = () => query(broker.db.kysely, MAKE, [like, BIDS, COMING]);
  const remove = () => query(broker.db.kysely, REMOVE, []);
  for (let pair = 0; pair < BLOCKS; pair += 1) {
    const order: Sort[] = Math.random() < 0.5 ? ["none", "many"] : ["many", "none"];
    for (const sort of order) {
      // Bids are made before either block: the database is busy with them for a while.
      await remove();
      await make();
      if (sort === "none") await remove();
      await query(broker.db.kysely, "VACUUM ANALYZE bid", []);
      const places = Object.entries(asks).map((entry) => ({ entry, place: Math.random() }));
      for (const { entry } of places.toSorted((a, b) => a.place - b.place)) {
        const [what, ask] = entry;
        const block: number[] = [];
        for (let nth = 0; nth < rounds / BLOCKS + WARM; nth += 1) block.push(await timed(ask));
        times.get(what)?.[sort].push(median(block.slice(WARM)));
      }
    }
  }
  return [...times].flatMap(([what, of]) => pairFigures(what, of));
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const rounds = quick ? ROUNDS / 10 : ROUNDS;
  const broker = await openAuctionBroker();
  const [outsider, other] = [await newBidder(broker), await newBidder(broker)];
  // An auction is found the sooner the newer it is: those without bids are an older and a newer one, in turn.
  const older = await announce(broker, { lots: 100_000 });
  const codes = { many: await announce(broker, { lots: 100_000 }), older, newer: await announce(broker, { lots: 100_000 }) };
  let isOlder = false;
  const codeOf = (sort: Sort): Code => {
    if (sort === "many") return codes.many;
    isOlder = !isOlder;
    return isOlder ? codes.older : codes.newer;
  };
  await passHours(broker, AT.opens);
  const placed = await bid(broker, other, codes.many);
  // A broker that is not new has the bids of earlier auctions.
  await query(broker.db.kysely, MAKE, [placed.bidNo, BIDS, EARLIER]);
  await query(broker.db.kysely, "UPDATE bid SET status = 'lost', ended_at = placed_at, code = 'OLD' WHERE id > $1", [EARLIER]);
  await query(broker.db.kysely, MAKE, [placed.bidNo, BIDS, COMING]);
  await query(broker.db.kysely, "VACUUM ANALYZE bid", []);
  const pause = (): void => void (broker.clock.now += PAUSE_MS);
  const figures = [
    ...(await interleaved("readAuction", rounds, (sort) => broker.call("readAuction", outsider, { code: codeOf(sort) }))),
    ...(await interleaved("placeBid, refused", rounds / 3, (sort) => {
      pause();
      return bid(broker, outsider, codeOf(sort), { price: 1 });
    })),
    ...(await interleaved("placeBid, accepted", rounds / 30, (sort) => {
      pause();
      return bid(broker, outsider, codeOf(sort), { lots: 1 });
    })),
    ...(await interleaved("bookAuction", rounds / 10, (sort) => {
      pause();
      return broker.call("bookAuction", outsider, { requestId: randomUUID() as never, code: codeOf(sort) });
    })),
  ];
  const lists = await inBlocks(broker, placed.bidNo, rounds, {
    listAuctions: () => broker.call("listAuctions", outsider, {}),
    listBids: () => broker.call("listBids", outsider, { cursor: null }),
    listOfferings: () => broker.call("listOfferings", outsider, { phases: null, kinds: null, cursor: null }),
    readMember: () => broker.call("readMember", outsider, {}),
    // For comparison: these read nothing of auctions, one of them nothing of the database.
    listStakes: () => broker.call("listStakes", outsider, { cursor: null }),
    readRules: () => broker.call("readRules", outsider, {}),
  });
  await broker.shut();
  return [
    { title: `response times to an outsider while the bids are sealed: an auction without bids and one with ${BIDS}`, figures },
    { title: "the same lists with and without these bids", figures: lists },
  ];
}
