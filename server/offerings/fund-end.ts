/** The end of a fund with a term: who is told before it, and what is done at it: positions redeemed, savings plans ended, alerts withdrawn. */
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";
import { takeMessageNo, putNotice } from "#server/accounts/notice.ts";
import { openPlans, stepPlan } from "#server/accounts/savings-plan.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { leaveNotice } from "#server/records/notice.ts";
import type { RaiseRecord } from "#server/records/raise.ts";
import { redeemOrder } from "#server/trading/order-entry/redeem.ts";
import type { OrderKey, QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export interface FundEndDeps {
  db: Database;
  sequencer: Pick<Sequencer, "submit">;
  /** Alerts that wait in memory. */
  alerts: { remove(memberId: number, id: string): void };
  /** Epoch milliseconds. */
  now: () => number;
}

/** Takes a step under a key, unless it failed lately. @returns whether it was taken */
type Take = (key: string, step: () => Promise<unknown>) => Promise<boolean>;

/** Orders decided together, each in a command of its own. */
const TOGETHER = 100;
const ORDERS = `SELECT order_no AS "orderNo", member_id AS "memberId" FROM "order"
WHERE code = $1 AND status IN ('pending', 'holding', 'readyToClose') AND order_no > $2 ORDER BY order_no LIMIT ${TOGETHER}`;
const PLANS = "SELECT plan_no, member_id FROM savings_plan WHERE code = $1 AND status <> 'ended' ORDER BY id";
const ALERTS = "SELECT DISTINCT member_id FROM alert WHERE code = $1 AND status = 'waiting'";
const WITHDRAW_ALERTS = "UPDATE alert SET status = 'withdrawn' WHERE member_id = $1 AND code = $2 AND status = 'waiting' RETURNING id";
const CONCERNED = `SELECT member_id FROM (
  SELECT member_id FROM "order" WHERE code = $1 AND status IN ('pending', 'holding', 'readyToClose')
  UNION SELECT member_id FROM savings_plan WHERE code = $1 AND status <> 'ended'
  UNION SELECT member_id FROM alert WHERE code = $1 AND status = 'waiting'
) AS concerned WHERE NOT EXISTS (SELECT FROM fund_notice AS told WHERE told.member_id = concerned.member_id AND told.offering_no = $2)`;
const TELL = "INSERT INTO fund_notice (member_id, offering_no) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING member_id";

/** Tells everybody who holds a fund, orders or saves in it, or waits for its price that it ends: each once. */
export async function tellOfEnd({ db, now }: FundEndDeps, { code, offering_no, matures_at, last_traded_at }: RaiseRecord): Promise<void> {
  if (matures_at === null) return;
  const values = { code, last: formatDateTime(last_traded_at ?? matures_at).slice(0, -3), day: formatDate(matures_at) };
  for (const { member_id: memberId } of await query<{ member_id: number }>(db.kysely, CONCERNED, [code, offering_no])) {
    await db.transaction(async (tx) => {
      const fresh = await query(tx, TELL, [memberId, offering_no]);
      if (fresh.length > 0) await leaveNotice(tx, memberId, now(), { about: "fundEnding", values });
    });
  }
}

/** Redeems one order. The value is asked for when it is decided, in the session after the last. */
function redemption({ memberId, orderNo }: OrderKey, code: string): QueuedCommand<boolean> {
  return {
    memberIds: [memberId],
    orderNos: [orderNo],
    placements: 1,
    decide: (batch) => {
      const order = batch.order(memberId, orderNo);
      const price = batch.venue.redemptionPrice(code, batch.at);
      return order !== undefined && price !== null && redeemOrder(batch, order, price);
    },
  };
}

/** Ends one savings plan, and tells its member. */
function planEnd(memberId: number, planNo: string): QueuedCommand<void> {
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx, batch) => {
      await openPlans.read(tx, batch, memberId);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch) => {
      const row = openPlans.of(batch, memberId)?.find((one) => one.plan_no === planNo);
      if (!row || row.status === "ended") return;
      const message = putNotice(batch, memberId, messageNo, { about: "savingsEnded", values: { code: row.code } });
      stepPlan(batch, row, "savingsPlan.ended", message);
    },
  };
}

async function withdrawAlerts({ db, alerts, now }: FundEndDeps, memberId: number, code: string): Promise<void> {
  const withdrawn = await db.transaction(async (tx) => {
    await lockMember(tx, memberId);
    const rows = await query<{ id: string }>(tx, WITHDRAW_ALERTS, [memberId, code]);
    if (rows.length > 0) await leaveNotice(tx, memberId, now(), { about: "alertsEnded", values: { code, n: String(rows.length) } });
    return rows;
  });
  for (const { id } of withdrawn) alerts.remove(memberId, id);
}

async function redeemAll({ db, sequencer }: FundEndDeps, code: string, take: Take): Promise<boolean> {
  let [last, isDone] = ["", true];
  for (;;) {
    const keys = await query<OrderKey>(db.kysely, ORDERS, [code, last]);
    const redeem = async (key: OrderKey): Promise<void> => {
      if (!(await sequencer.submit(redemption(key, code)))) isDone = false;
    };
    const taken = await Promise.all(keys.map((key) => take(`redemption ${key.orderNo}`, () => redeem(key))));
    isDone &&= taken.every(Boolean);
    last = keys.at(-1)?.orderNo ?? last;
    if (keys.length < TOGETHER) return isDone;
  }
}

/** Does what is due at the end of a fund; what failed or has to wait is done at another call. @returns whether all of it is done */
export async function endFund(deps: FundEndDeps, { code }: Pick<RaiseRecord, "code">, take: Take): Promise<boolean> {
  const { db, sequencer } = deps;
  const plans = await query<{ plan_no: string; member_id: number }>(db.kysely, PLANS, [code]);
  const waiting = await query<{ member_id: number }>(db.kysely, ALERTS, [code]);
  const taken = [
    ...plans.map(({ plan_no, member_id }) => take(`end ${plan_no}`, () => sequencer.submit(planEnd(member_id, plan_no)))),
    ...waiting.map(({ member_id }) => take(`alerts ${member_id} ${code}`, () => withdrawAlerts(deps, member_id, code))),
  ];
  const isRedeemed = await redeemAll(deps, code, take);
  return (await Promise.all(taken)).every(Boolean) && isRedeemed;
}
