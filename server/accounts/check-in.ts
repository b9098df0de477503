/** Check-ins in a batch: one a Taipei day, and the vouchers they redeem; and the vouchers that expired. */
import type { CheckIns } from "#contract/check-in.ts";
import { DAY_MS, epochMs, taipeiDay } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { voucherMachine } from "#machines/voucher.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { VoucherRecord } from "#server/records/voucher.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { VoucherStatus } from "#contract/voucher.ts";
import { changeScore, prepareCredit } from "./credit.ts";
import { putNotice, takeMessageNo } from "./notice.ts";

/** What decisions on a member's check-ins read. */
export interface CheckInRecord {
  total: number;
  spent: number;
  last_day: number | null;
  /** Of the last day. */
  streak: number;
}

const READ = `
SELECT check_ins_spent AS spent, (SELECT count(*)::integer FROM check_in WHERE check_in.member_id = $1) AS total,
  last.day AS last_day, coalesce(last.streak, 0) AS streak
FROM trader LEFT JOIN LATERAL (SELECT day, streak FROM check_in WHERE check_in.member_id = $1 ORDER BY day DESC LIMIT 1) AS last ON true
WHERE trader.member_id = $1`;

/** A member's check-ins as a member sees them. */
export function toCheckIns({ total, spent, last_day: last, streak }: CheckInRecord, at: number): CheckIns {
  const today = taipeiDay(at);
  return { today, checkedIn: last === today, streak: last !== null && last >= today - 1 ? streak : 0, total, count: total - spent };
}

export async function readCheckIns(on: Reader, memberId: number): Promise<CheckInRecord> {
  const [row] = await query<CheckInRecord>(on, READ, [memberId]);
  if (!row) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
  return row;
}

const checkInsInBatch = new SharedRows<CheckInRecord>(async (tx, batch, memberId) => {
  await prepareCredit(tx, batch, memberId);
  return readCheckIns(tx, memberId);
});

/** Reads a member's check-ins once a batch; the member is locked. */
export const prepareCheckIns = (tx: Tx, batch: Batch, memberId: number): Promise<CheckInRecord> =>
  checkInsInBatch.read(tx, batch, memberId);

/** @throws Refusal one of `checkIn`'s */
export function checkIn(batch: Batch, memberId: number, read: CheckInRecord): CheckIns {
  checkEligible("checkIn", batch.member(memberId));
  const day = taipeiDay(batch.at);
  // Also when the clock was set back.
  if (read.last_day !== null && read.last_day >= day) throw new Refusal("CHK_ALREADY");
  read.streak = read.last_day === day - 1 ? read.streak + 1 : 1;
  read.last_day = day;
  read.total += 1;
  const values = [memberId, day, batch.at, read.streak];
  batch.emit(memberId, { type: "checkIn.done", day });
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO check_in (member_id, day, at, streak) VALUES ($1, $2, $3, $4)", values);
  });
  const { streakDays, streakPoints } = batch.rules.of(memberId).credit;
  if (streakDays > 0 && read.streak % streakDays === 0) changeScore(batch, memberId, streakPoints, "checkInStreak");
  return toCheckIns(read, batch.at);
}

/** Redeems check-ins for a voucher with this number. @throws Refusal one of `redeemVoucher`'s */
export function redeemVoucher(batch: Batch, memberId: number, read: CheckInRecord, id: number): VoucherRecord {
  checkEligible("checkIn", batch.member(memberId));
  const { checkInsPerVoucher, voucherCents, voucherDays } = batch.rules.of(memberId).reward;
  if (read.total - read.spent < checkInsPerVoucher) throw new Refusal("CHK_COUNT_INSUFFICIENT");
  read.spent += checkInsPerVoucher;
  const voucher: VoucherRecord = {
    voucher_no: `V${id}`,
    id,
    member_id: memberId,
    status: "available",
    face_cents: voucherCents,
    issued_at: batch.at,
    expires_at: epochMs(batch.at + voucherDays * DAY_MS),
    order_no: null,
    paid_cents: 0,
  };
  batch.member(memberId).vouchers.push(voucher);
  batch.emit(memberId, { type: "voucher.issued", voucherNo: voucher.voucher_no });
  const row = JSON.stringify(voucher);
  const { spent } = read;
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO voucher SELECT * FROM json_populate_record(NULL::voucher, $1::json)", [row]);
    await query(tx, "UPDATE trader SET check_ins_spent = $2 WHERE member_id = $1", [memberId, spent]);
  });
  return voucher;
}

/** Takes a number for a voucher. */
export async function takeVoucherNo(tx: Tx): Promise<number> {
  const [row] = await query<{ n: number }>(tx, "SELECT nextval('voucher_no') AS n");
  if (!row) throw new Error("no number for a voucher");
  return row.n;
}

/** Ends the vouchers of a member that nobody used in time, with one message. */
export function expireVouchers(memberId: number) {
  let due: VoucherRecord[] = [];
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      const sql = "SELECT * FROM voucher WHERE member_id = $1 AND status = 'available' AND expires_at <= $2 ORDER BY id";
      due = await query<VoucherRecord>(tx, sql, [memberId, batch.at]);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch: Batch): void => {
      const { vouchers } = batch.member(memberId);
      // An order of the same batch may have reserved one.
      const unused = due.filter(({ voucher_no: no }) => vouchers.some((one) => one.voucher_no === no));
      for (const [nth, voucher] of unused.entries()) {
        const status = advance<VoucherStatus>(voucherMachine, voucher.status, "voucher.expired");
        if (!status) throw new Error(`voucher ${voucher.voucher_no} cannot expire, it is ${voucher.status}`);
        const values = { count: String(unused.length), amount: formatMoney(voucher.face_cents) };
        const message = nth === 0 ? { message: putNotice(batch, memberId, messageNo, { about: "voucherExpired", values }) } : {};
        vouchers.splice(
          vouchers.findIndex((one) => one.voucher_no === voucher.voucher_no),
          1,
        );
        batch.emit(memberId, { type: "voucher.expired", voucherNo: voucher.voucher_no, ...message });
        batch.deferWrite(async (tx) => {
          await query(tx, "UPDATE voucher SET status = $2 WHERE voucher_no = $1", [voucher.voucher_no, status]);
        });
      }
    },
  };
}
