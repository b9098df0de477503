/** Handlers of check-ins and of the fee vouchers they redeem. */
import { daysOfMonth, monthOfDay } from "#contract/check-in.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { checkIn, prepareCheckIns, readCheckIns, redeemVoucher, takeVoucherNo, toCheckIns } from "#server/accounts/check-in.ts";
import type { CheckInRecord } from "#server/accounts/check-in.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { toVoucher } from "#server/records/voucher.ts";
import type { VoucherRecord } from "#server/records/voucher.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface CheckInHandlerDeps {
  db: Database;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

const DAYS = "SELECT day FROM check_in WHERE member_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day";
const LIST = "SELECT * FROM voucher WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const NEXT = `SELECT * FROM voucher WHERE member_id = $1 AND status = 'available' AND expires_at > $2 ORDER BY expires_at, id LIMIT 1`;

export function checkInHandlers({
  db,
  sequencer,
  now,
}: CheckInHandlerDeps): Pick<Handlers, "readCheckIns" | "checkIn" | "redeemVoucher" | "listVouchers" | "nextVoucher"> {
  const prepared = (): { read: CheckInRecord | null; of: () => CheckInRecord } => {
    const one: { read: CheckInRecord | null; of: () => CheckInRecord } = {
      read: null,
      of: () => {
        if (!one.read) throw new Error("the check-ins were not read");
        return one.read;
      },
    };
    return one;
  };
  return {
    async readCheckIns({ caller: { memberId } }, { month }) {
      const at = now();
      const shown = month ?? monthOfDay(taipeiDay(at));
      const { first, last } = daysOfMonth(shown);
      const days = await query<{ day: number }>(db.kysely, DAYS, [memberId, first, last]);
      const checkIns = toCheckIns(await readCheckIns(db.kysely, memberId), at);
      return { month: shown, days: days.map(({ day }) => day), checkIns, rule: sequencer.rules.of(memberId).reward };
    },
    checkIn: ({ caller: { memberId } }, body) => {
      const known = prepared();
      return sequencer.commandAll({
        endpoint: "checkIn",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          known.read = await prepareCheckIns(tx, batch, memberId);
        },
        decide: (batch) => checkIn(batch, memberId, known.of()),
      });
    },
    redeemVoucher: ({ caller: { memberId } }, body) => {
      const known = prepared();
      let id = 0;
      return sequencer.commandAll({
        endpoint: "redeemVoucher",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          known.read = await prepareCheckIns(tx, batch, memberId);
          id = await takeVoucherNo(tx);
        },
        decide: (batch) => {
          const voucher = toVoucher(redeemVoucher(batch, memberId, known.of(), id));
          return { voucher, checkIns: toCheckIns(known.of(), batch.at) };
        },
      });
    },
    async listVouchers({ caller: { memberId } }, { cursor }) {
      const rows = await query<VoucherRecord>(db.kysely, LIST, [memberId, readCursor(cursor, "V"), PAGE_SIZE + 1]);
      return pageFrom(rows, toVoucher, (item) => item.voucherNo);
    },
    async nextVoucher({ caller: { memberId } }) {
      const [row] = await query<VoucherRecord>(db.kysely, NEXT, [memberId, now()]);
      return { voucher: row ? toVoucher(row) : null };
    },
  };
}
