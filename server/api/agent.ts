/** Handlers of agents and seats: applications, the members an agent invited, and the rebates they brought. */
import type { Invited, RebateLine, RebateMonth } from "#contract/agent.ts";
import { cents } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Application, ApplicationKind } from "#contract/review.ts";
import { answerReview, prepareApplication, readApplication, submitApplication, takeApplicationNo } from "#server/accounts/application.ts";
import type { ApplicationInBatch } from "#server/accounts/application.ts";
import { maskName } from "#server/accounts/mask-name.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toApplication } from "#server/records/application.ts";
import type { ApplicationRecord } from "#server/records/application.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { checkCursor, pageFrom } from "./page.ts";

export interface AgentHandlerDeps {
  db: Database;
  sequencer: Sequencer;
}

/** The months after this one are not paid yet. */
const LAST_PAID = "coalesce((SELECT max(month) FROM rebate_payment WHERE agent_id = $1), '')";

const AGENT = `
SELECT CASE WHEN identity = 'verified' THEN invitation_code END AS code, EXISTS (SELECT FROM agent WHERE member_id = $1) AS "isAgent",
  (SELECT count(*)::integer FROM member AS newcomer WHERE newcomer.invited_by = $1) AS invited,
  (SELECT coalesce(sum(rebate_cents), 0)::bigint FROM rebate WHERE agent_id = $1 AND month > ${LAST_PAID}) AS accrued,
  (SELECT coalesce(sum(cents), 0)::bigint FROM rebate_payment WHERE agent_id = $1) AS paid
FROM member WHERE id = $1`;
interface AgentRow {
  code: string | null;
  isAgent: boolean;
  invited: number;
  accrued: number;
  paid: number;
}

/** The page comes first, so that only its members' rebates are summed. */
const INVITED = `
SELECT page.*, coalesce(brought.commission, 0)::bigint AS commission, coalesce(brought.rebate, 0)::bigint AS rebate FROM (
  SELECT id, account, name, identity = 'verified' AS verified, created_at FROM member
  WHERE invited_by = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3
) AS page LEFT JOIN LATERAL (
  SELECT sum(commission_cents) AS commission, sum(rebate_cents) AS rebate FROM rebate WHERE member_id = page.id AND agent_id = $1
) AS brought ON true ORDER BY page.id DESC`;
interface InvitedRow {
  id: number;
  account: string;
  name: string;
  verified: boolean;
  created_at: number;
  commission: number;
  rebate: number;
}

const MONTHS = `
SELECT month, commission_cents AS commission, cents AS rebate, at AS "paidAt" FROM rebate_payment
WHERE agent_id = $1 AND ($2::text IS NULL OR month < $2)
UNION ALL
SELECT month, sum(commission_cents)::bigint, sum(rebate_cents)::bigint, NULL FROM rebate
WHERE agent_id = $1 AND month > ${LAST_PAID} AND ($2::text IS NULL OR month < $2) GROUP BY month
ORDER BY month DESC LIMIT $3`;
interface MonthRow {
  month: string;
  commission: number;
  rebate: number;
  paidAt: number | null;
}

const LINES = `
SELECT rebate.member_id AS id, account, name, commission_cents AS commission, rebate_cents AS rebate
FROM rebate JOIN member ON member.id = rebate.member_id
WHERE agent_id = $1 AND month = $2 AND ($3::bigint IS NULL OR rebate.member_id > $3::bigint) ORDER BY rebate.member_id LIMIT $4`;
type LineRow = Pick<InvitedRow, "id" | "account" | "name" | "commission" | "rebate">;

/** An account number of which only the ends are shown. */
export const maskAccount = (account: string): string => `${account.slice(0, 2)}****${account.slice(-2)}`;

const toInvited = (row: InvitedRow): Invited => ({
  memberNo: maskAccount(row.account),
  name: maskName(row.name),
  joinedAt: epochMs(row.created_at),
  verified: row.verified,
  commissionCents: cents(row.commission),
  rebateCents: cents(row.rebate),
});
const toMonth = ({ month, commission, rebate, paidAt }: MonthRow): RebateMonth => ({
  month,
  commissionCents: cents(commission),
  rebateCents: cents(rebate),
  paidAt: paidAt === null ? null : epochMs(paidAt),
});
const toLine = ({ account, name, commission, rebate }: LineRow): RebateLine => ({
  memberNo: maskAccount(account),
  name: maskName(name),
  commissionCents: cents(commission),
  rebateCents: cents(rebate),
});

const ID = /^\d{1,12}$/;
const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** A member's newest application of a kind, as the member sees it. */
async function applicationOf(on: Reader, memberId: number, kind: ApplicationKind): Promise<Application | null> {
  const row = await readApplication(on, memberId, kind);
  return row && toApplication(row);
}

export function agentHandlers({
  db,
  sequencer,
}: AgentHandlerDeps): Pick<Handlers, "readAgent" | "listInvited" | "listRebates" | "listRebateLines" | "readSeat"> {
  return {
    async readAgent({ caller: { memberId } }) {
      const [row] = await query<AgentRow>(db.kysely, AGENT, [memberId]);
      if (!row) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
      const { code, isAgent, invited, accrued, paid } = row;
      const application = await applicationOf(db.kysely, memberId, "agent");
      const rule = sequencer.rules.of(memberId).reward;
      return { code, isAgent, invited, application, accruedCents: cents(accrued), paidCents: cents(paid), rule };
    },
    async listInvited({ caller: { memberId } }, { cursor }) {
      const rows = await query<InvitedRow>(db.kysely, INVITED, [memberId, checkCursor(cursor, ID), PAGE_SIZE + 1]);
      return pageFrom(rows, toInvited, (_item, { id }) => String(id));
    },
    async listRebates({ caller: { memberId } }, { cursor }) {
      const rows = await query<MonthRow>(db.kysely, MONTHS, [memberId, checkCursor(cursor, MONTH), PAGE_SIZE + 1]);
      return pageFrom(rows, toMonth, ({ month }) => month);
    },
    async listRebateLines({ caller: { memberId } }, { month, cursor }) {
      const rows = await query<LineRow>(db.kysely, LINES, [memberId, month, checkCursor(cursor, ID), PAGE_SIZE + 1]);
      return pageFrom(rows, toLine, (_item, { id }) => String(id));
    },
    async readSeat({ caller: { memberId } }) {
      const rules = sequencer.rules.of(memberId);
      const listPerMillion = rules.trade.feePerMillion;
      // A seat is an exception that holds for every instrument.
      const own = rules.exceptions.findLast(
        ({ board, kind, code, bonds, from, until, rule }) =>
          [board, kind, code, bonds, from, until].every((one) => one === null) && rule.feePerMillion !== undefined,
      );
      return {
        application: await applicationOf(db.kysely, memberId, "seat"),
        feePerMillion: own?.rule.feePerMillion ?? listPerMillion,
        listPerMillion,
        rule: rules.reward,
      };
    },
  };
}

type Apply = (batch: Batch, read: ApplicationInBatch, id: number) => ApplicationRecord;

export function applicationHandlers({
  sequencer,
}: Pick<AgentHandlerDeps, "sequencer">): Pick<Handlers, "applyForAgent" | "applyForSeat" | "answerReview"> {
  const command = (
    endpoint: "applyForAgent" | "applyForSeat" | "answerReview",
    memberId: number,
    { body, kind }: { body: { requestId: string }; kind: ApplicationKind },
    apply: Apply,
  ): Promise<Application> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        async (tx, batch) => ({ read: await prepareApplication(tx, batch, memberId, kind), id: await takeApplicationNo(tx) }),
        (batch, { read, id }) => toApplication(apply(batch, read, id)),
      ),
    });
  };
  return {
    applyForAgent: ({ caller: { memberId } }, body) =>
      command("applyForAgent", memberId, { body, kind: "agent" }, (batch, read, id) =>
        submitApplication(batch, memberId, "agent", { statement: body.statement, id }, read),
      ),
    applyForSeat: ({ caller: { memberId } }, body) =>
      command("applyForSeat", memberId, { body, kind: "seat" }, (batch, read, id) =>
        submitApplication(batch, memberId, "seat", { statement: body.statement, id }, read),
      ),
    answerReview: ({ caller: { memberId } }, body) =>
      command("answerReview", memberId, { body, kind: body.kind }, (batch, read) =>
        answerReview(batch, memberId, body.kind, body.statement, read),
      ),
  };
}
