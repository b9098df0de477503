/** Compares the ledger with the facts of the members: balances after every step, and everything occasionally. */
import { isDeepStrictEqual } from "node:util";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { share } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { toFill, toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { toBlockOrder } from "#server/records/block-order.ts";
import type { BlockOrderRecord } from "#server/records/block-order.ts";
import { toDeposit } from "#server/records/deposit.ts";
import type { DepositRecord } from "#server/records/deposit.ts";
import { toWithdrawal } from "#server/records/withdrawal.ts";
import type { WithdrawalRecord } from "#server/records/withdrawal.ts";
import { toLending } from "#server/records/lending.ts";
import type { LendingRecord } from "#server/records/lending.ts";
import { toLoan } from "#server/records/loan.ts";
import type { LoanRecord } from "#server/records/loan.ts";
import type { View } from "./view.ts";

/** A member, their account from facts, and the sum of their deposits. */
export interface Trader {
  id: number;
  view: View;
  depositCents: number;
}

interface Balance {
  member_id: number | null;
  kind: string;
  currency: string;
  balance: number;
}

/** Checks that must hold after every step. */
export async function checkBooks(on: Reader, traders: readonly Trader[]): Promise<string[]> {
  const rows = await query<Balance>(on, "SELECT member_id, kind, currency, balance FROM pocket");
  const wrong: string[] = [];
  const sums = new Map<string, number>();
  for (const { currency, balance } of rows) sums.set(currency, (sums.get(currency) ?? 0) + balance);
  for (const [currency, sum] of sums) if (sum !== 0) wrong.push(`all pockets together hold ${sum} ${currency}`);
  const trading = rows.filter(({ currency }) => currency === HOME_CURRENCY);
  const lent = trading.find(({ member_id, kind }) => member_id === null && kind === "loans")?.balance ?? 0;
  const owed = traders.reduce((all, { view }) => all + view.sum("loanCents") + view.borrowedCents, 0);
  if (lent + owed !== 0) wrong.push(`the broker has lent ${-lent}, the orders and loans owe ${owed}`);
  for (const { id, view } of traders) {
    for (const { kind, currency, balance } of rows.filter(({ member_id }) => member_id === id))
      if (balance < 0 !== (kind === "debt" && balance !== 0)) wrong.push(`member ${id} has ${balance} ${currency} ${kind}`);
    const of = new Map(trading.filter(({ member_id }) => member_id === id).map(({ kind, balance }) => [kind, balance]));
    const held = view.sum("heldCents") + view.blockCents;
    if (of.get("held") !== held) wrong.push(`member ${id} has ${of.get("held")} held, the orders and blocks say ${held}`);
    if (of.get("payout") !== view.payoutCents)
      wrong.push(`member ${id} has ${of.get("payout")} on its way out, the withdrawals say ${view.payoutCents}`);
    if (of.get("reserved") !== view.reservedCents)
      wrong.push(`member ${id} has ${of.get("reserved")} reserved, the applications, bids and stakes say ${view.reservedCents}`);
    const collateral = view.sum("collateralCents");
    if (of.get("collateral") !== collateral)
      wrong.push(`member ${id} has ${of.get("collateral")} as collateral, the orders say ${collateral}`);
  }
  return wrong;
}

/** The effect of an order on its member's money so far: realised profit, the cost of the open lots, and what a voucher paid of its fee. */
function movedBy(order: OrderRecord): number {
  const still = (amount: number): number => amount - share(amount, order.closed_lots, order.filled_lots);
  const costs = still(order.open_fee_cents + order.open_tax_cents);
  const stake = order.direction === "rise" ? order.loan_cents - still(order.open_cents) : still(order.open_cents);
  return order.profit_cents + order.dividend_cents + order.lending_cents + order.voucher_cents - costs + stake;
}

/** What each order moved in the ledger. */
export const MOVED = `
SELECT order_no, sum(CASE WHEN pocket.member_id IS NOT NULL AND pocket.kind <> 'owing' OR pocket.kind = 'shortfall' THEN amount ELSE 0 END)::bigint AS moved
FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id WHERE order_no IS NOT NULL GROUP BY order_no`;

/** Compares each order with its ledger movements; unsettled amounts count as paid. */
async function reconcile(on: Reader, orders: readonly OrderRecord[]): Promise<string[]> {
  const rows = await query<{ order_no: string; moved: number }>(on, MOVED);
  const moved = new Map(rows.map((row) => [row.order_no, row.moved]));
  return orders.flatMap((order) => {
    const found = moved.get(order.order_no) ?? 0;
    const expected = movedBy(order);
    return found === expected ? [] : [`order ${order.order_no} (${order.status}) moved ${found} in the ledger, and says ${expected}`];
  });
}

/** What of the rows of a member its facts say, as one text for each; dates that move with an offering are told by nothing. */
const PRIMARY: readonly { of: string; rows: string; told: (view: View) => string[] }[] = [
  {
    of: "applications",
    rows: `SELECT concat_ws(' ', subscription_no, status, lots, coalesce(won_lots, 0), reserved_cents, paid_cents, order_no) AS said FROM subscription WHERE member_id = $1`,
    told: ({ subscriptions }) =>
      [...subscriptions.values()].map((one) =>
        words(one.subscriptionNo, one.status, one.lots, one.wonLots ?? 0, one.reservedCents, one.paidCents, one.orderNo),
      ),
  },
  {
    of: "bids",
    rows: `SELECT concat_ws(' ', bid_no, status, price, lots, CASE WHEN status = 'placed' THEN 0 ELSE won_lots END, refunded_at, order_no) AS said FROM bid WHERE member_id = $1`,
    told: ({ bids }) =>
      [...bids.values()].map((one) => words(one.bidNo, one.status, one.price, one.lots, one.wonLots, one.refundedAt, one.orderNo)),
  },
  {
    of: "stakes",
    rows: `SELECT concat_ws(' ', stake_no, status, lots, reserved_cents, order_no, version) AS said FROM stake WHERE member_id = $1`,
    told: ({ stakes }) =>
      [...stakes.values()].map((one) => words(one.stakeNo, one.status, one.lots, one.reservedCents, one.orderNo, one.version)),
  },
  {
    of: "savings plans",
    rows: `SELECT concat_ws(' ', plan_no, status, amount_cents, day, ordered_runs, skipped_runs, version) AS said FROM savings_plan WHERE member_id = $1`,
    told: ({ plans }) =>
      [...plans.values()].map((one) =>
        words(one.planNo, one.status, one.amountCents, one.day, one.orderedRuns, one.skippedRuns, one.version),
      ),
  },
];

/** As SQL's `concat_ws` joins them. */
const words = (...of: readonly (string | number | null)[]): string => of.filter((one) => one !== null).join(" ");

async function comparePrimary(on: Reader, { id, view }: Trader): Promise<string[]> {
  const wrong: string[] = [];
  for (const { of, rows, told } of PRIMARY) {
    const found = (await query<{ said: string }>(on, rows, [id])).map(({ said }) => said).toSorted();
    const facts = told(view).toSorted();
    if (!isDeepStrictEqual(found, facts)) wrong.push(`member ${id} has the ${of} ${found.join("; ")}, the facts say ${facts.join("; ")}`);
  }
  return wrong;
}

/** One application a member, nobody gets more than they asked for, and together no more than was offered. */
const FAIR = `
SELECT format('member %s has %s applications for %s', member_id, count(*), offering_no) AS said FROM subscription
WHERE status NOT IN ('withdrawn', 'voided') GROUP BY member_id, offering_no HAVING count(*) > 1
UNION ALL SELECT format('%s got %s of %s lots', subscription_no, won_lots, lots) FROM subscription WHERE won_lots > lots
UNION ALL SELECT format('%s got %s of %s lots', stake_no, allotted_lots, lots) FROM stake WHERE allotted_lots > lots
UNION ALL SELECT format('bidders got %s of %s lots of %s', sum(won_lots), max(auction.lots), auction.code)
  FROM bid JOIN auction ON auction.id = auction_id GROUP BY auction.code HAVING sum(won_lots) > max(auction.lots)
UNION ALL SELECT format('member %s got %s lots of %s, above the cap', member_id, sum(won_lots), auction.code)
  FROM bid JOIN auction ON auction.id = auction_id GROUP BY member_id, auction.code HAVING sum(won_lots) > max(cap_lots)`;

/** Compares the database rows with the facts. */
async function compare(on: Reader, { id, view }: Trader, orders: readonly OrderRecord[]): Promise<string[]> {
  const wrong: string[] = [];
  const mine = orders.filter(({ member_id }) => member_id === id);
  if (mine.length !== view.orders.size) wrong.push(`member ${id} has ${mine.length} orders, its facts mention ${view.orders.size}`);
  for (const record of mine) {
    if (!isDeepStrictEqual(toOrder(record), view.orders.get(record.order_no))) {
      wrong.push(
        `order ${record.order_no} is ${JSON.stringify(toOrder(record))}, the facts say ${JSON.stringify(view.orders.get(record.order_no))}`,
      );
    }
  }
  const fills = await on.selectFrom("fill").selectAll().where("member_id", "=", id).orderBy("order_no").orderBy("n").execute();
  const received = [...view.fills].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, some]) => some);
  if (!isDeepStrictEqual(fills.map(toFill), received))
    wrong.push(`member ${id} has ${fills.length} fills, its facts mention ${received.length} or others`);
  const loans = await query<LoanRecord>(on, "SELECT * FROM loan WHERE member_id = $1 ORDER BY id", [id]);
  const rows = loans.map((row) => ({ ...toLoan(row, { offerMinutes: 0 }), offerEndsAt: 0 }));
  const told = [...view.loans.values()].map((loan) => ({ ...loan, offerEndsAt: 0 }));
  if (!isDeepStrictEqual(rows, told))
    wrong.push(`member ${id} has the loans ${JSON.stringify(rows)}, the facts say ${JSON.stringify(told)}`);
  const lendings = await query<LendingRecord>(on, "SELECT * FROM lending WHERE member_id = $1 ORDER BY id", [id]);
  const mentioned = [...view.lendings.values()];
  if (!isDeepStrictEqual(lendings.map(toLending), mentioned))
    wrong.push(
      `member ${id} has the loans of shares ${JSON.stringify(lendings.map(toLending))}, the facts say ${JSON.stringify(mentioned)}`,
    );
  return [...wrong, ...(await compareMoney(on, id, view))];
}

/** Compares deposits, withdrawals and block purchases with the facts, and what was credited with what came in. */
async function compareMoney(on: Reader, id: number, view: View): Promise<string[]> {
  const rows = <Row extends object>(table: string): Promise<Row[]> =>
    query<Row>(on, `SELECT * FROM ${table} WHERE member_id = $1 ORDER BY id`, [id]);
  const differs = (what: string, has: unknown[], told: Iterable<unknown>): string[] =>
    isDeepStrictEqual(has, [...told])
      ? []
      : [`member ${id} has the ${what} ${JSON.stringify(has)}, the facts say ${JSON.stringify([...told])}`];
  const [came] = await query<{ twd: number; usd: number }>(on, CAME, [id]);
  const credited = (currency: string): number =>
    [...view.deposits.values()]
      .filter((one) => one.status === "credited" && one.currency === currency)
      .reduce((sum, { creditCents }) => sum + creditCents, 0);
  const told = { twd: credited("TWD"), usd: credited("USD") };
  return [
    ...differs("deposits", (await rows<DepositRecord>("deposit")).map(toDeposit), view.deposits.values()),
    ...differs("withdrawals", (await rows<WithdrawalRecord>("withdrawal")).map(toWithdrawal), view.withdrawals.values()),
    ...differs("blocks", (await rows<BlockOrderRecord>("block_order")).map(toBlockOrder), view.blocks.values()),
    ...differs("credited money", [came], [told]),
  ];
}

/** What was deposited after the account was opened. */
const CAME = `SELECT coalesce(sum(amount) FILTER (WHERE currency = 'TWD'), 0)::bigint AS twd, coalesce(sum(amount) FILTER (WHERE currency = 'USD'), 0)::bigint AS usd
  FROM entry JOIN pocket ON pocket.id = pocket_id JOIN ledger_tx ON ledger_tx.id = tx_id
  WHERE pocket.member_id = $1 AND ledger_tx.kind = 'deposit' AND ledger_tx.at > (SELECT created_at FROM member WHERE id = $1)`;

/** Of a morning's trades only the difference waits, on one side; what an order holds of proceeds is taken off them and is part of its held money. */
const PENDING = `SELECT format('member %s has %s %s, the settlements say %s', member_id, balance, kind, due) AS said FROM (
    SELECT pocket.member_id, pocket.kind, balance, coalesce(sum(abs(net)), 0) AS due
    FROM pocket LEFT JOIN (
      SELECT member_id, sum(amount_cents) AS net FROM settlement WHERE settled_at IS NULL AND kind <> 'dividend' GROUP BY member_id, due_at
      UNION ALL SELECT member_id, amount_cents FROM settlement WHERE settled_at IS NULL AND kind = 'dividend'
    ) AS due ON due.member_id = pocket.member_id AND (net < 0) = (pocket.kind = 'owing')
    WHERE pocket.kind IN ('owing', 'unsettled') GROUP BY pocket.id
  ) AS pending WHERE balance <> due
  UNION ALL SELECT format('order %s holds %s, of it %s of proceeds', order_no, held_cents, -sum(amount_cents))
  FROM settlement JOIN "order" USING (order_no) WHERE settlement.kind = 'hold' AND settled_at IS NULL
  GROUP BY order_no, held_cents HAVING -sum(amount_cents) > held_cents`;

/** Runs everything: the ledger audit, each order against its movements, and each member's rows against their facts. */
export async function audit(on: Reader, traders: readonly Trader[]): Promise<string[]> {
  const { differences } = await auditBooks(on);
  const orders = await on.selectFrom("order").selectAll().orderBy("order_no").execute();
  const twice = orders.length - new Set(orders.map(({ member_id, request_id }) => `${member_id} ${request_id}`)).size;
  const pending = await query<{ said: string }>(on, PENDING);
  const wrong = [...differences, ...pending.map(({ said }) => said), ...(await reconcile(on, orders))];
  if (twice > 0) wrong.push(`${twice} orders belong to a request that already had one`);
  wrong.push(...(await query<{ said: string }>(on, FAIR)).map(({ said }) => said));
  for (const trader of traders) wrong.push(...(await compare(on, trader, orders)), ...(await comparePrimary(on, trader)));
  return wrong;
}
