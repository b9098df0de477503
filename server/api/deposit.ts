/** Handlers of deposits: the channels, one deposit to submit, and those submitted. */
import { cents } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { prepareDeposit, readChannels, readDepositedToday, readOpenDeposit, submit } from "#server/accounts/deposit.ts";
import type { DepositsInBatch } from "#server/accounts/deposit.ts";
import { toDeposit } from "#server/records/deposit.ts";
import type { DepositRecord } from "#server/records/deposit.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

export interface DepositHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

const LIST = "SELECT * FROM deposit WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const ONE = "SELECT * FROM deposit WHERE member_id = $1 AND deposit_no = $2";

/** Parses a cursor into a deposit's number. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
function readCursor(cursor: string | null): number | null {
  if (cursor === null) return null;
  if (!/^D\d{1,12}$/.test(cursor)) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return Number(cursor.slice(1));
}

export function depositHandlers({
  db,
  venue,
  sequencer,
}: DepositHandlerDeps): Pick<Handlers, "readDepositing" | "submitDeposit" | "listDeposits" | "readDeposit"> {
  return {
    async readDepositing({ caller: { memberId } }) {
      const at = sequencer.now();
      const open = await readOpenDeposit(db.kysely, memberId);
      const today = await readDepositedToday(db.kysely, memberId, at);
      return {
        channels: await readChannels(db.kysely, venue, memberId, at),
        pending: open && toDeposit(open),
        leftTodayCents: cents(Math.max(0, sequencer.rules.of(memberId).funding.dailyCents - today)),
      };
    },
    submitDeposit: ({ caller: { memberId } }, body) => {
      let read: DepositsInBatch | null = null;
      let proofHash: string | null = null;
      return sequencer.commandAll({
        endpoint: "submitDeposit",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          read = await prepareDeposit(tx, batch, memberId, body.channelId);
          proofHash = null;
        },
        decide: (batch) => {
          if (!read) throw new Error("the deposit was not prepared");
          return toDeposit(submit(batch, memberId, { amount: body.amount, proofId: body.proofId, proofHash }, read));
        },
      });
    },
    async listDeposits({ caller: { memberId } }, { cursor }) {
      const rows = await query<DepositRecord>(db.kysely, LIST, [memberId, readCursor(cursor), PAGE_SIZE + 1]);
      const items = rows.slice(0, PAGE_SIZE).map(toDeposit);
      return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.depositNo ?? null) : null };
    },
    async readDeposit({ caller: { memberId } }, { depositNo }) {
      const [row] = await query<DepositRecord>(db.kysely, ONE, [memberId, depositNo]);
      if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "depositNo");
      return toDeposit(row);
    },
  };
}
