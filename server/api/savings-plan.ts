/** Handlers of savings plans: the member's plans, their changes, and their months. */
import type { Answer, Body, EndpointName } from "#contract/endpoints.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { SavingsPlan } from "#contract/savings-plan.ts";
import { changePlan, endPlan, pausePlan, planHasEnded, preparePlans, resumePlan, startPlan } from "#server/accounts/savings-plan.ts";
import type { PlanReads } from "#server/accounts/savings-plan.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { toSavingsPlan, toSavingsRun } from "#server/records/savings-plan.ts";
import type { SavingsPlanRecord, SavingsRunRecord } from "#server/records/savings-plan.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { readCursor } from "./page.ts";

export interface SavingsPlanHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<
  Handlers,
  | "listSavingsPlans"
  | "startSavingsPlan"
  | "changeSavingsPlan"
  | "pauseSavingsPlan"
  | "resumeSavingsPlan"
  | "endSavingsPlan"
  | "listSavingsRuns"
>;

/** Plans that ended stay in the list, the latest of them. */
const PLANS = `
(SELECT * FROM savings_plan WHERE member_id = $1 AND status <> 'ended' ORDER BY id DESC)
UNION ALL (SELECT * FROM savings_plan WHERE member_id = $1 AND status = 'ended' ORDER BY id DESC LIMIT ${PAGE_SIZE})`;
const RUNS = `SELECT savings_run.*, code FROM savings_run JOIN savings_plan USING (plan_no)
WHERE savings_run.member_id = $1 AND ($2::text IS NULL OR plan_no = $2::text) AND ($3::bigint IS NULL OR savings_run.id < $3::bigint)
ORDER BY savings_run.id DESC LIMIT $4`;
const ORDERS = `SELECT * FROM "order" WHERE member_id = $1 AND order_no = ANY ($2::text[])`;
const DAYS = Array.from({ length: 31 }, (_, day) => day + 1);

/** What a command on one plan decides on. */
type OnPlan = (batch: Batch, asked: { planNo: string; hasEnded: boolean }, reads: PlanReads) => SavingsPlanRecord;

/** A page of a member's months, of one plan or of all. */
async function readRuns(db: Database, memberId: number, { planNo, cursor }: Body<"listSavingsRuns">): Promise<Answer<"listSavingsRuns">> {
  const found = await query<SavingsRunRecord & { id: number; code: string }>(db.kysely, RUNS, [
    memberId,
    planNo,
    readCursor(cursor),
    PAGE_SIZE + 1,
  ]);
  const rows = found.slice(0, PAGE_SIZE);
  const orders = await query<OrderRecord>(db.kysely, ORDERS, [memberId, rows.flatMap((row) => row.order_nos)]);
  const byNo = new Map(orders.map((order) => [order.order_no, toOrder(order)]));
  const items = rows.map((row) =>
    toSavingsRun(
      row,
      row.code,
      row.order_nos.flatMap((orderNo) => byNo.get(orderNo) ?? []),
    ),
  );
  return { items, next: found.length > PAGE_SIZE ? String(rows.at(-1)?.id) : null };
}

export function savingsPlanHandlers({ db, venue, sequencer }: SavingsPlanHandlerDeps): Served {
  const onPlan = (
    endpoint: EndpointName,
    memberId: number,
    body: { requestId: RequestId; planNo: string },
    decide: OnPlan,
  ): Promise<SavingsPlan> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        async (tx, batch) => ({
          reads: await preparePlans(tx, batch, memberId),
          hasEnded: await planHasEnded(tx, memberId, body.planNo),
        }),
        (batch, { reads, hasEnded }) => toSavingsPlan(decide(batch, { planNo: body.planNo, hasEnded }, reads)),
      ),
    });
  };
  return {
    async listSavingsPlans({ caller: { memberId } }) {
      const rows = await query<SavingsPlanRecord>(db.kysely, PLANS, [memberId]);
      const at = sequencer.now();
      const firstAt = DAYS.map((day) => venue.months.next(day, at).at);
      return { plans: rows.map(toSavingsPlan), rule: sequencer.rules.of(memberId).savings, firstAt };
    },
    startSavingsPlan({ caller: { memberId } }, body) {
      return sequencer.commandAll({
        endpoint: "startSavingsPlan",
        memberId,
        body,
        ...deciding(
          (tx, batch) => preparePlans(tx, batch, memberId),
          (batch, reads) => toSavingsPlan(startPlan(batch, memberId, body, reads)),
        ),
      });
    },
    changeSavingsPlan: ({ caller: { memberId } }, body) =>
      onPlan("changeSavingsPlan", memberId, body, (batch, asked, reads) =>
        changePlan(batch, memberId, { ...asked, amount: body.amount, day: body.day }, reads),
      ),
    pauseSavingsPlan: ({ caller: { memberId } }, body) => onPlan("pauseSavingsPlan", memberId, body, pausePlan),
    resumeSavingsPlan: ({ caller: { memberId } }, body) =>
      onPlan("resumeSavingsPlan", memberId, body, (batch, asked, reads) => resumePlan(batch, memberId, asked, reads)),
    endSavingsPlan: ({ caller: { memberId } }, body) => onPlan("endSavingsPlan", memberId, body, endPlan),
    listSavingsRuns: ({ caller: { memberId } }, body) => readRuns(db, memberId, body),
  };
}
