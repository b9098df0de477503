/** Handlers of day trading: eligibility, the risk agreement, and the loss percentage for warnings. */
import type { Answer } from "#contract/endpoints.ts";
import type { DAY_TRADE_LACKS } from "#contract/day-trading.ts";
import type { Restriction } from "#contract/eligibility.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import type { Venue } from "#server/venue/venue.ts";
import { squareOffAt } from "#server/trading/order-entry/day-trade-cutoff.ts";
import { lockMember } from "#server/db/member-lock.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export interface DayTradingHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Executed orders of the last 365 days count towards eligibility. */
const LOOK_BACK_DAYS = 365;

interface Row {
  identity: IdentityStatus;
  restrictions: Restriction[];
  created_at: number;
  margin_status: string;
  day_signed_at: number | null;
  warning_percent: number | null;
  executed: number;
}

const READ = `
SELECT identity, restrictions, created_at, margin_status, day_signed_at, warning_percent,
  (SELECT count(*)::integer FROM "order" WHERE member_id = $1 AND filled_lots > 0 AND placed_at >= $2 AND kind <> 'crypto') AS executed
FROM member JOIN trader ON member_id = id WHERE id = $1`;

/** Eligibility requirements the member does not meet; an approved margin account replaces all of them. */
function lacksOf(row: Row, accountDays: number, rule: { accountDays: number; minimumOrders: number }): (typeof DAY_TRADE_LACKS)[number][] {
  if (row.margin_status === "approved") return [];
  const lacks: (typeof DAY_TRADE_LACKS)[number][] = [];
  if (accountDays < rule.accountDays) lacks.push("accountAge");
  if (row.executed < rule.minimumOrders) lacks.push("executedOrders");
  return lacks;
}

export function dayTradingHandlers({
  db,
  venue,
  sequencer,
  now,
}: DayTradingHandlerDeps): Pick<Handlers, "readDayTrading" | "signDayTrading" | "setDayTradingWarning"> {
  const read = async (on: Reader, memberId: number): Promise<{ row: Row; answer: Answer<"readDayTrading"> }> => {
    const at = now();
    const rule = sequencer.rules.of(memberId).dayTrade;
    const [row] = await query<Row>(on, READ, [memberId, at - LOOK_BACK_DAYS * DAY_MS]);
    if (!row) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
    const accountDays = Math.max(0, Math.floor((at - row.created_at) / DAY_MS));
    return {
      row,
      answer: {
        signedAt: row.day_signed_at === null ? null : epochMs(row.day_signed_at),
        lacks: lacksOf(row, accountDays, rule),
        executedOrders: row.executed,
        accountDays,
        squareOffAt: squareOffAt(venue, at, rule.squareOffSeconds),
        warningPercent: row.warning_percent ?? rule.warningPercent,
      },
    };
  };
  const change = (memberId: number, work: (tx: Tx) => Promise<void>): Promise<Answer<"readDayTrading">> => {
    sequencer.countCommand(memberId);
    return db.transaction(async (tx) => {
      await lockMember(tx, memberId);
      await work(tx);
      return (await read(tx, memberId)).answer;
    });
  };
  return {
    readDayTrading: async ({ caller }) => (await read(db.kysely, caller.memberId)).answer,
    signDayTrading: ({ caller: { memberId } }) =>
      change(memberId, async (tx) => {
        const { row, answer } = await read(tx, memberId);
        checkEligible("openDayTrading", { ...row, agreements: (await readSigned(tx, memberId)).map(({ kind }) => kind) });
        const { accountDays, minimumOrders } = sequencer.rules.of(memberId).dayTrade;
        if (answer.lacks.length > 0) throw new Refusal("TRD_DAY_TRADING_LACKS", { n1: accountDays, n2: minimumOrders });
        // Idempotent: signing again keeps the first date.
        await query(tx, "UPDATE trader SET day_signed_at = coalesce(day_signed_at, $2) WHERE member_id = $1", [memberId, now()]);
      }),
    setDayTradingWarning: ({ caller: { memberId } }, { percent }) =>
      change(memberId, async (tx) => {
        await query(tx, "UPDATE trader SET warning_percent = $2 WHERE member_id = $1", [memberId, percent]);
      }),
  };
}
