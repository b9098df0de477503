/** Handlers of withdrawals: what blocks one, the request with the fund password, its cancellation, and those requested. */
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { readCards, readHolder } from "#server/accounts/bank-card.ts";
import { isProven } from "#server/accounts/proven.ts";
import { openWithdrawals, readOpenWithdrawal } from "#server/accounts/open-withdrawal.ts";
import { cancel, prepareWithdrawal, request } from "#server/accounts/withdrawal.ts";
import type { WithdrawingInBatch } from "#server/accounts/withdrawal.ts";
import { readStanding, withPositions } from "#server/accounts/withdrawal-facts.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { toCard, toWithdrawal } from "#server/records/withdrawal.ts";
import type { WithdrawalRecord } from "#server/records/withdrawal.ts";
import { holdingsOf } from "#server/trading/clearing/holdings-in-batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface WithdrawalHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "readWithdrawing" | "requestWithdrawal" | "cancelWithdrawal" | "listWithdrawals" | "readWithdrawal">;

const CENTS = 100;
const LIST = "SELECT * FROM withdrawal WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const ONE = "SELECT * FROM withdrawal WHERE member_id = $1 AND withdrawal_no = $2";

/** What the database alone answers. */
export const withdrawalReads = ({ db }: { db: Database }): Pick<Handlers, "listWithdrawals" | "readWithdrawal"> => ({
  async listWithdrawals({ caller: { memberId } }, { cursor }) {
    const rows = await query<WithdrawalRecord>(db.kysely, LIST, [memberId, readCursor(cursor, "W"), PAGE_SIZE + 1]);
    return pageFrom(rows, toWithdrawal, (item) => item.withdrawalNo);
  },
  async readWithdrawal({ caller: { memberId } }, { withdrawalNo }) {
    const [row] = await query<WithdrawalRecord>(db.kysely, ONE, [memberId, withdrawalNo]);
    if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "withdrawalNo");
    return toWithdrawal(row);
  },
});

export function withdrawalHandlers({ db, venue, sequencer }: WithdrawalHandlerDeps): Served {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  return {
    ...withdrawalReads({ db }),
    readWithdrawing: ({ caller: { memberId } }) =>
      db.transaction(async (tx) => {
        // One snapshot for all reads.
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const standing = await readStanding(tx, memberId, venue, sources);
        const facts = withPositions(standing, {
          orders: await holdingsOf(tx, [memberId]),
          availableCents: (await readBalances(tx, memberId)).available,
          venue,
          at: sequencer.now(),
          blocks: sequencer.rules.of(memberId).funding.holdingsBlock.includes("orders"),
        });
        const holder = await readHolder(tx, memberId);
        const open = await readOpenWithdrawal(tx, memberId);
        return { facts, cards: (await readCards(tx, memberId)).map((row) => toCard(row, holder)), pending: open && toWithdrawal(open) };
      }),
    async requestWithdrawal({ caller: { memberId } }, { fundPassword, ...body }) {
      const proven = await isProven(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "requestWithdrawal",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareWithdrawal(tx, batch, memberId, body.cardId),
          (batch, read) => toWithdrawal(request(batch, memberId, { amountCents: body.amount * CENTS, cardId: body.cardId, proven }, read)),
        ),
      });
    },
    cancelWithdrawal: ({ caller: { memberId } }, body) => {
      let shared: WithdrawingInBatch["shared"] = { open: null };
      let isKnown = false;
      return sequencer.commandAll({
        endpoint: "cancelWithdrawal",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          shared = await openWithdrawals.read(tx, batch, memberId);
          isKnown = (await query(tx, ONE, [memberId, body.withdrawalNo])).length > 0;
        },
        decide: (batch) => toWithdrawal(cancel(batch, shared, body.withdrawalNo, isKnown)),
      });
    },
  };
}
