/** Checks of copies and runs: each signal acts once, none holds more than its amount, its sums are the ledger's, and each can be ended. */
import { isDeepStrictEqual } from "node:util";
import { RequestId } from "#contract/kernel/id.ts";
import { cents, price, PRICE_ONE, worth } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { step as tick } from "#contract/tick.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { toCopy } from "#server/records/copy.ts";
import type { CopyRecord } from "#server/records/copy.ts";
import { toRun } from "#server/records/strategy.ts";
import type { RunRecord } from "#server/records/strategy.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { checkFutures, checkMargins, closeFutures } from "./futures-steps.ts";
import { checkOptions, closeOptions } from "./option-steps.ts";
import { MOVED } from "./ledger-check.ts";
import type { Trader } from "./ledger-check.ts";
import { holdCall } from "./market.ts";
import type { World } from "./world.ts";

/** NT$1,000,000. */
const CAPITAL_CENTS = cents(100_000_000);
const ADMIT = `INSERT INTO mentor (mentor_no, member_id, name, capital_cents, since, acted_at)
VALUES ('T' || nextval('mentor_no'), $1, 'M', $2, $3, $3) RETURNING mentor_no AS "mentorNo"`;

/** The operator admits a member who was no mentor before; beyond two the earliest one is removed. The last ones stay. */
export async function changeMentors(db: Database, { traders, services, clock }: World): Promise<void> {
  const known = await query<{ member_id: number }>(db.kysely, "SELECT member_id FROM mentor");
  const trader = traders.find(({ id }) => !known.some((one) => one.member_id === id));
  if (!services || !trader) return;
  const [row] = await query<{ mentorNo: string }>(db.kysely, ADMIT, [trader.id, CAPITAL_CENTS, clock.now]);
  if (row) services.mentors.push({ mentorNo: row.mentorNo, trader });
  const removed = services.mentors.length > 2 ? services.mentors.shift() : undefined;
  if (removed) await query(db.kysely, "UPDATE mentor SET removed_at = $2 WHERE mentor_no = $1", [removed.mentorNo, clock.now]);
}

/** Sentences about rows that must not be there. */
const WRONG = `
SELECT format('fills of %s are in two acts', one.order_no) AS said FROM copy_act AS one JOIN copy_act AS other
  ON other.order_no = one.order_no AND one.from_n < other.from_n AND other.from_n <= one.to_n
UNION ALL SELECT format('%s bought twice on a signal of %s', copy_no, lead_no) FROM copy_part
  WHERE side = 'buy' GROUP BY copy_no, lead_no, from_n HAVING count(*) > 1
UNION ALL SELECT format('%s bought %s twice in one decision', run_no, code) FROM strategy_trade
  WHERE side = 'buy' GROUP BY run_no, code, at HAVING count(*) > 1
UNION ALL SELECT format('order %s of %s belongs to no signal', order_no, origin) FROM "order"
  WHERE origin IN ('copy', 'strategy') AND (filled_lots > 0) <> (EXISTS (SELECT FROM copy_part AS part WHERE part.order_no = "order".order_no AND side = 'buy')
    OR EXISTS (SELECT FROM strategy_trade AS trade WHERE trade.order_no = "order".order_no AND side = 'buy'))
UNION ALL SELECT format('%s says %s bought, %s sold, %s left out', run_no, bought, sold, left_out) FROM strategy_run AS run
  WHERE (bought, sold, left_out) <> (SELECT (count(*) FILTER (WHERE side = 'buy' AND left_out IS NULL))::integer,
    (count(*) FILTER (WHERE side = 'sell'))::integer, (count(*) FILTER (WHERE left_out IS NOT NULL))::integer FROM strategy_trade AS trade WHERE trade.run_no = run.run_no)
UNION ALL SELECT format('%s says %s copied, %s left out, %s slippage', copy_no, copied, left_out, slippage_cents) FROM copy
  WHERE (copied, left_out, slippage_cents) <> (SELECT (count(*) FILTER (WHERE side = 'buy' AND part.left_out IS NULL))::integer,
    (count(*) FILTER (WHERE part.left_out IS NOT NULL))::integer, coalesce(sum(part.slippage_cents), 0)::bigint FROM copy_part AS part WHERE part.copy_no = copy.copy_no)
UNION ALL SELECT format('%s has %s of %s in it', no, cost, amount_cents) FROM (
  SELECT run_no AS no, amount_cents, sum(open_cents * (filled_lots - closed_lots) / filled_lots)::bigint AS cost
    FROM strategy_run JOIN strategy_trade USING (run_no) JOIN "order" USING (order_no) WHERE side = 'buy' GROUP BY run_no
  UNION ALL SELECT copy_no, amount_cents, sum((open_cents + open_fee_cents) * (filled_lots - closed_lots) / filled_lots)::bigint
    FROM copy JOIN copy_part USING (copy_no) JOIN "order" USING (order_no) WHERE side = 'buy' GROUP BY copy_no, amount_cents
  ) AS held WHERE cost > amount_cents
UNION ALL SELECT format('%s has stopped and holds order %s', no, order_no) FROM (
  SELECT run_no AS no, order_no FROM strategy_run JOIN strategy_trade USING (run_no) WHERE status = 'stopped' AND NOT kept AND side = 'buy'
  UNION ALL SELECT copy_no, order_no FROM copy JOIN copy_part USING (copy_no) WHERE status = 'stopped' AND NOT kept AND side = 'buy'
  ) AS ended JOIN "order" AS held USING (order_no) WHERE held.filled_lots > held.closed_lots`;

/** What the orders of a run or copy moved in the ledger beside vouchers, and what it holds. */
const SUMS = `
SELECT no, code, sum(coalesce(moved, 0) - voucher_cents)::bigint AS moved, count(*)::integer AS orders,
  sum((filled_lots - closed_lots) * lot_shares)::bigint AS shares
FROM (SELECT run_no AS no, order_no FROM strategy_trade WHERE side = 'buy' UNION ALL SELECT copy_no, order_no FROM copy_part WHERE side = 'buy') AS part
JOIN "order" USING (order_no) LEFT JOIN (${MOVED}) AS moving USING (order_no) WHERE member_id = $1 GROUP BY no, code`;

interface Valued {
  no: string;
  realisedCents: number;
  unrealisedCents: number;
  amountCents: number;
  stopPercent: number;
  status: string;
}

/** The member's runs and copies, each with its value. */
async function valued(broker: TestBroker, memberId: number): Promise<Valued[]> {
  const runs = await broker.call("listStrategyRuns", memberId, {});
  const copies = await broker.call("listCopies", memberId, {});
  return [
    ...runs.valuations.flatMap((one) =>
      runs.runs.filter(({ runNo }) => runNo === one.runNo).map((run) => ({ ...one, ...run, no: run.runNo })),
    ),
    ...copies.valuations.flatMap((one) =>
      copies.copies.filter(({ copyNo }) => copyNo === one.copyNo).map((copy) => ({ ...one, ...copy, no: copy.copyNo })),
    ),
  ];
}

/** After the clocks have looked for as long as a loss must last, nothing that has lost its stop goes on. */
export async function checkStops(broker: TestBroker, traders: readonly Trader[]): Promise<string[]> {
  const wrong = await checkMargins(broker, traders);
  for (const { id } of traders)
    for (const { no, status, amountCents, stopPercent, realisedCents, unrealisedCents } of await valued(broker, id)) {
      const lost = -(realisedCents + unrealisedCents);
      if (status !== "stopping" && status !== "stopped" && lost * 100 >= amountCents * stopPercent)
        wrong.push(`${no} goes on with a loss of ${lost}, its stop is ${stopPercent}% of ${amountCents}`);
    }
  return wrong;
}

/** Value and fee of what an order holds are rounded apart in the ledger, together in a valuation. */
const ROUNDED_CENTS = 2;

/** What each is worth is what its orders moved in the ledger, and what they hold at the last price; what is open is rounded by the order. */
async function checkSums(broker: TestBroker, id: number): Promise<string[]> {
  const rows = await query<{ no: string; code: string; moved: number; orders: number; shares: number }>(broker.db.kysely, SUMS, [id]);
  const byNo = Map.groupBy(rows, ({ no }) => no);
  return (await valued(broker, id)).flatMap(({ no, realisedCents, unrealisedCents }) => {
    const own = byNo.get(no) ?? [];
    const held = own.reduce((sum, { code, shares }) => {
      const { last, reference } = broker.venue.quote(broker.venue.instrument(code)?.row ?? 0);
      return sum + worth(price(last > 0 ? last : reference), shares);
    }, 0);
    const moved = own.reduce((sum, row) => sum + row.moved, 0);
    const orders = own.reduce((sum, row) => sum + row.orders, 0);
    const said = realisedCents + unrealisedCents;
    return Math.abs(said - moved - held) <= ROUNDED_CENTS * orders
      ? []
      : [`${no} says ${said}, its orders moved ${moved} and hold ${held}`];
  });
}

async function compare(on: Reader, { id, view }: Trader): Promise<string[]> {
  const { runs, copies } = view.services;
  const ofRuns = await query<RunRecord>(on, "SELECT * FROM strategy_run WHERE member_id = $1 ORDER BY id", [id]);
  const ofCopies = await query<CopyRecord>(
    on,
    "SELECT copy.*, mentor.strategy, mentor.name FROM copy JOIN mentor USING (mentor_no) WHERE copy.member_id = $1 ORDER BY copy.id",
    [id],
  );
  const differs = (has: unknown[], told: Iterable<unknown>): string[] =>
    isDeepStrictEqual(has, [...told]) ? [] : [`member ${id} has ${JSON.stringify(has)}, the facts say ${JSON.stringify([...told])}`];
  return [...differs(ofRuns.map(toRun), runs.values()), ...differs(ofCopies.map(toCopy), copies.values())];
}

export async function checkServices(broker: TestBroker, world: World): Promise<string[]> {
  const { traders } = world;
  const on = broker.db.kysely;
  const wrong = (await query<{ said: string }>(on, WRONG)).map(({ said }) => said);
  for (const trader of traders) wrong.push(...(await compare(on, trader)), ...(await checkSums(broker, trader.id)));
  wrong.push(...(await checkFutures(broker, world)), ...(await checkOptions(broker, world)));
  return wrong;
}

/** What has not ended, with what it still holds. */
const LEFT = `
SELECT format('%s is still %s, with %s', no, status, held) AS said FROM (
  SELECT run_no AS no, status, (SELECT json_agg("order") FROM strategy_trade JOIN "order" USING (order_no)
    WHERE strategy_trade.run_no = strategy_run.run_no AND side = 'buy' AND filled_lots > closed_lots) AS held FROM strategy_run
  UNION ALL SELECT copy_no, status, (SELECT json_agg("order") FROM copy_part JOIN "order" USING (order_no)
    WHERE copy_part.copy_no = copy.copy_no AND side = 'buy' AND filled_lots > closed_lots) FROM copy
) AS open WHERE status <> 'stopped'`;
const DAYS = 6;
const LOOKS = 4;
const DEEP_LOTS = 100_000;

/** A market that takes everything on the board, and single shares in calls. */
function deepen(world: World): void {
  const { venue } = world;
  for (const { row, kind } of venue.instruments) {
    const { last } = venue.quote(row);
    venue.set(row, { bids: [[last / PRICE_ONE, DEEP_LOTS]], asks: [[tick(kind, last, 1) / PRICE_ONE, DEEP_LOTS]] });
  }
}

/** At the end everybody stops everything; where the market takes it, nothing stays in a run or a copy. */
export async function windDown(broker: TestBroker, world: World): Promise<string[]> {
  const { clock, traders, random, venue } = world;
  venue.setPhase("open");
  const stillOpen = [...(await closeFutures(broker, world)), ...(await closeOptions(broker, world))];
  for (const { id, view } of traders) {
    const requestId = () => RequestId.parse(random.uuid());
    for (const { runNo, reason } of view.services.runs.values())
      if (reason === null) await broker.call("stopStrategy", id, { requestId: requestId(), runNo, keep: false });
    for (const { copyNo, reason, untilAt } of view.services.copies.values())
      if (reason === null && untilAt > clock.now) await broker.call("stopCopy", id, { requestId: requestId(), copyNo, keep: false });
  }
  for (let n = 0; n < DAYS * LOOKS; n += 1) {
    const isNewDay = n % LOOKS === 0;
    clock.now += isNewDay ? DAY_MS : 3_000;
    // What rested the day before expires.
    if (isNewDay) venue.setPhase("open");
    deepen(world);
    holdCall(world);
    await broker.settled();
    await broker.tick();
    await broker.settled();
  }
  return [...stillOpen, ...(await query<{ said: string }>(broker.db.kysely, LEFT)).map(({ said }) => said)];
}
