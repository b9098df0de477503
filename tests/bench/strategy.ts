/** Benchmark of strategies: one opening with 1,000 runs to decide, and the time of a back-test of each strategy. */
import { performance } from "node:perf_hooks";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { MANY_CODES, STRATEGIES, STRATEGY_CODES } from "#contract/strategy.ts";
import { insertMember } from "#server/accounts/new-member.ts";
import { query } from "#server/db/database.ts";
import { expectCleanBooks, investor, openStrategyBroker, past, priced, RISING, start } from "#tests/server/strategy/fixture.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const MEMBERS = 125;
const QUICK_MEMBERS = 12;
const TIMES = 3;
/** Days of prices for a back-test. */
const DAYS = 800;
const INSERT = `INSERT INTO strategy_run (run_no, id, member_id, strategy, code, status, amount_cents, stop_percent, started_at, version)
SELECT 'Q' || id, id, member_id, 'cross', code, 'running', 10000000, 90, $3, 1
FROM (SELECT nextval('strategy_run_no') AS id, member_id, code FROM unnest($1::bigint[]) AS member_id, unnest($2::text[]) AS code) AS run`;

/** A run of each instrument by every member, without the commands and the slow secrets that would make them. */
async function startRuns(broker: TestBroker, count: number): Promise<number> {
  const { db, clock } = broker;
  const secrets = { password: "none", guaranteeCode: "none" };
  const shared = { identity: "verified" as const, depositCents: cents(1_000_000_000), at: clock.now, name: "B", ...secrets };
  const members = await db.transaction(async (tx) => {
    const made: number[] = [];
    for (let nth = 0; nth < count; nth += 1)
      made.push(await insertMember(tx, { account: `B${nth}`, idNumber: `B${nth}`, ...shared }, secrets));
    return made;
  });
  await query(db.kysely, INSERT, [members, STRATEGY_CODES, clock.now]);
  // One more by its command, which tells the clock that there is something to do.
  await start(broker, await investor(broker));
  return count * STRATEGY_CODES.length + 1;
}

/** The opening: every run is decided, and buys. */
async function opening(broker: TestBroker, count: number): Promise<Figure[]> {
  // The clock ticks by itself as well: it has nothing to do before the market opens.
  broker.venue.setPhase("closed");
  const runs = await startRuns(broker, count);
  past(broker, RISING, STRATEGY_CODES);
  for (const [row] of STRATEGY_CODES.entries()) priced(broker, 30, 100_000, row);
  // What it watches is read before.
  await broker.tick();
  broker.venue.setPhase("open");
  const from = performance.now();
  await broker.tick();
  const ms = performance.now() - from;
  const [row] = await query<{ n: number }>(broker.db.kysely, "SELECT count(*)::integer AS n FROM strategy_run WHERE bought = 1");
  if (row?.n !== runs) throw new Error(`${row?.n} of ${runs} runs bought`);
  return [{ what: `${runs} runs decided and bought at the opening: time`, value: ms, unit: "ms" }];
}

async function backtests(broker: TestBroker): Promise<Figure[]> {
  const member = await investor(broker);
  broker.clock.now += DAY_MS;
  const closes = Array.from({ length: DAYS }, (_, nth) => 30 + 5 * Math.sin(nth / 10) + Math.sin(nth));
  past(broker, closes, STRATEGY_CODES);
  const figures: Figure[] = [];
  for (const strategy of STRATEGIES) {
    const code = MANY_CODES.includes(strategy) ? null : STRATEGY_CODES[0];
    const from = performance.now();
    for (let nth = 0; nth < TIMES; nth += 1) await broker.call("readBacktest", member, { strategy, code: code as never, amount: 500_000 });
    figures.push({ what: `a back-test of ${strategy}: time`, value: (performance.now() - from) / TIMES, unit: "ms" });
  }
  return figures;
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const broker = await openStrategyBroker();
  const figures = [...(await opening(broker, quick ? QUICK_MEMBERS : MEMBERS)), ...(await backtests(broker))];
  await expectCleanBooks(broker);
  await broker.shut();
  return [{ title: "strategies", figures }];
}
