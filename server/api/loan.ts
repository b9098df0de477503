/** Handlers of the credit score and of credit loans. */
import { CHANGES_LISTED } from "#contract/credit.ts";
import type { CreditReason } from "#contract/credit.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { borrowingOf, isUnpaid } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import { accrueLoan, drawLoan, offerLoan, ownAssets, prepareLoans, repayLoan, takeNumbers } from "#server/accounts/loan.ts";
import type { LoansInBatch } from "#server/accounts/loan.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toLoan } from "#server/records/loan.ts";
import type { LoanRecord } from "#server/records/loan.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";

export interface LoanHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

interface ChangeRow {
  at: number;
  points: number;
  score: number;
  reason: CreditReason;
  loan_no: string | null;
}

const CHANGES = `SELECT at, points, score, reason, loan_no FROM credit_change WHERE member_id = $1 ORDER BY id DESC LIMIT ${CHANGES_LISTED}`;
/** What is owed comes first: offers that were never drawn must not push it out of the list. */
const LOANS = "SELECT * FROM loan WHERE member_id = $1 ORDER BY status IN ('drawn', 'overdue') DESC, id DESC LIMIT 100";

type Decide = (batch: Batch, read: LoansInBatch, numbers: { loan: number; messageNo: number }) => LoanRecord;

export function loanHandlers(deps: LoanHandlerDeps): Pick<Handlers, "readCredit" | "readLoans" | "offerLoan" | "drawLoan" | "repayLoan"> {
  const { db, venue, sequencer, now } = deps;
  const command = (endpoint: EndpointName, memberId: number, body: { requestId: string }, decide: Decide): Promise<Loan> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        async (tx, batch) => ({ read: await prepareLoans(tx, batch, memberId), numbers: await takeNumbers(tx, 1) }),
        (batch, { read, numbers }) => {
          const loan = decide(batch, read, { loan: numbers.loan, messageNo: numbers.messages[0] ?? 0 });
          return toLoan(loan, batch.rules.of(memberId).credit);
        },
      ),
    });
  };
  return {
    async readCredit({ caller: { memberId } }) {
      const member = await db.kysely
        .selectFrom("member")
        .select(["credit_score", "created_at"])
        .where("id", "=", memberId)
        .executeTakeFirst();
      if (!member) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
      const rows = await query<ChangeRow>(db.kysely, CHANGES, [memberId]);
      const first = rows.at(-1);
      return {
        score: member.credit_score,
        firstScore: first ? first.score - first.points : member.credit_score,
        openedAt: epochMs(member.created_at),
        rule: sequencer.rules.of(memberId).credit,
        changes: rows.map(({ at, loan_no: loanNo, ...row }) => ({ ...row, at: epochMs(at), loanNo })),
      };
    },
    readLoans: ({ caller: { memberId } }) =>
      db.transaction(async (tx) => {
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const rule = sequencer.rules.of(memberId).credit;
        const [member] = await query<{ score: number }>(tx, "SELECT credit_score AS score FROM member WHERE id = $1", [memberId]);
        if (!member) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
        const rows = await query<LoanRecord>(tx, LOANS, [memberId]);
        // Before the day's interest is written, it is shown.
        for (const row of rows) if (isUnpaid(row)) accrueLoan(row, now());
        const borrowed = rows.reduce((sum, row) => sum + row.principal_cents, 0);
        const own = await ownAssets(tx, venue, memberId, now());
        return {
          rule,
          borrowing: borrowingOf(rule, member.score, own, borrowed),
          loans: rows.map((row) => toLoan(row, rule)),
        };
      }),
    offerLoan: ({ caller: { memberId } }, body) =>
      command("offerLoan", memberId, body, (batch, read, { loan }) => offerLoan(batch, memberId, body, read, loan)),
    drawLoan: ({ caller: { memberId } }, body) =>
      command("drawLoan", memberId, body, (batch, read, { messageNo }) => drawLoan(batch, memberId, body.loanNo, read, messageNo)),
    repayLoan: ({ caller: { memberId } }, body) =>
      command("repayLoan", memberId, body, (batch, read, { messageNo }) => repayLoan(batch, memberId, body, read, messageNo)),
  };
}
