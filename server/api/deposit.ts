/** Handlers of deposits: the channels, one deposit to submit in TWD or in USDT, and those submitted. */
import { cents } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hasChannelPassword, isChannelPassword } from "#server/accounts/channel-password.ts";
import { prepareCrypto, quoteCrypto, submitCrypto } from "#server/accounts/crypto-deposit.ts";
import { prepareDeposit, readChannels, readDepositedToday, submit } from "#server/accounts/deposit.ts";
import { readOpenDeposit } from "#server/accounts/open-deposit.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { PhotoStore } from "#server/accounts/photo-store.ts";
import { proofHash } from "#server/accounts/proof.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { toDeposit } from "#server/records/deposit.ts";
import type { DepositRecord } from "#server/records/deposit.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface DepositHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  photos: PhotoStore;
}

type Names = "readDepositing" | "submitDeposit" | "quoteDeposit" | "submitCryptoDeposit" | "listDeposits" | "readDeposit";

const LIST = "SELECT * FROM deposit WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const ONE = "SELECT * FROM deposit WHERE member_id = $1 AND deposit_no = $2";

/** What the database alone answers. */
export const depositReads = ({ db }: { db: Database }): Pick<Handlers, "listDeposits" | "readDeposit"> => ({
  async listDeposits({ caller: { memberId } }, { cursor }) {
    const rows = await query<DepositRecord>(db.kysely, LIST, [memberId, readCursor(cursor, "D"), PAGE_SIZE + 1]);
    return pageFrom(rows, toDeposit, (item) => item.depositNo);
  },
  async readDeposit({ caller: { memberId } }, { depositNo }) {
    const [row] = await query<DepositRecord>(db.kysely, ONE, [memberId, depositNo]);
    if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "depositNo");
    return toDeposit(row);
  },
});

export function depositHandlers({ db, venue, sequencer, photos }: DepositHandlerDeps): Pick<Handlers, Names> {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  return {
    ...depositReads({ db }),
    async readDepositing({ caller: { memberId } }) {
      const at = sequencer.now();
      const open = await readOpenDeposit(db.kysely, memberId);
      const today = await readDepositedToday(db.kysely, memberId, at);
      return {
        channels: await readChannels(db.kysely, venue, memberId, at),
        pending: open && toDeposit(open),
        channelPassword: await hasChannelPassword(db.kysely, memberId),
        leftTodayCents: cents(Math.max(0, sequencer.rules.of(memberId).funding.dailyCents - today)),
      };
    },
    async submitDeposit({ caller: { memberId } }, { channelPassword, ...body }) {
      // Nothing typed is no try.
      const provenPassword = channelPassword !== null && (await isChannelPassword(db, memberId, channelPassword, sources));
      return sequencer.commandAll({
        endpoint: "submitDeposit",
        memberId,
        body,
        ...deciding(
          async (tx, batch) => ({
            read: await prepareDeposit(tx, batch, memberId, body.channelId),
            hash: await proofHash(photos, tx, memberId, body.proofId),
          }),
          (batch, { read, hash }) =>
            toDeposit(submit(batch, memberId, { amount: body.amount, proof: { id: body.proofId, hash }, provenPassword }, read)),
        ),
      });
    },
    async quoteDeposit({ caller: { memberId } }, body) {
      sequencer.countCommand(memberId);
      const at = sequencer.now();
      checkEligible("deposit", await readMemberFacts(db.kysely, memberId, sources));
      return quoteCrypto(db.kysely, memberId, body, { venue, rule: sequencer.rules.of(memberId).funding, at });
    },
    submitCryptoDeposit: ({ caller: { memberId } }, body) => {
      return sequencer.commandAll({
        endpoint: "submitCryptoDeposit",
        memberId,
        body,
        ...deciding(
          async (tx, batch) => ({
            read: await prepareCrypto(tx, batch, memberId, body.txHash),
            hash: await proofHash(photos, tx, memberId, body.proofId),
          }),
          (batch, { read, hash }) => toDeposit(submitCrypto(batch, memberId, { ...body, proof: { id: body.proofId, hash } }, read)),
        ),
      });
    },
  };
}
