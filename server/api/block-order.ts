/** Handlers of block trades: the offers, a purchase, its cancellation, and the member's purchases. */
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { toBlockOrder } from "#server/records/block-order.ts";
import type { BlockOrderRecord } from "#server/records/block-order.ts";
import { blocks } from "#server/trading/clearing/blocks-in-batch.ts";
import { buy, cancel, preparePurchase, readUsed } from "#server/trading/blocks/purchase.ts";
import type { PurchaseReads } from "#server/trading/blocks/purchase.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { readBlockMarket } from "#server/venue/market-data/block-market.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface BlockOrderHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "readBlockMarket" | "buyBlock" | "cancelBlock" | "listBlocks">;

const LIST = "SELECT * FROM block_order WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";

export function blockOrderHandlers({ db, venue, sequencer }: BlockOrderHandlerDeps): Served {
  return {
    async readBlockMarket({ caller: { memberId } }) {
      const market = readBlockMarket(venue, sequencer.now());
      // All offers of one moment end with the same trading day.
      const unlocksAt = market.offers[0]?.unlocksAt;
      const usedShares = unlocksAt === undefined ? 0 : await readUsed(db.kysely, memberId, unlocksAt);
      return { market, usedShares, rule: sequencer.rules.of(memberId).block };
    },
    buyBlock({ caller: { memberId } }, body) {
      let reads: PurchaseReads | null = null;
      return sequencer.commandAll({
        endpoint: "buyBlock",
        memberId,
        body,
        prepare: async (tx, batch) => {
          reads = await preparePurchase(tx, batch, memberId, body.offerId);
        },
        decide: (batch) => {
          if (!reads) throw new Error("the purchase was not prepared");
          return toBlockOrder(buy(batch, memberId, body, reads));
        },
      });
    },
    cancelBlock: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "cancelBlock",
        memberId,
        body,
        placements: 0,
        prepare: (tx, batch) => batch.part(blocks).read(tx, body.blockNo),
        decide: (batch) => toBlockOrder(cancel(batch, memberId, body.blockNo)),
      }),
    async listBlocks({ caller: { memberId } }, { cursor }) {
      const rows = await query<BlockOrderRecord>(db.kysely, LIST, [memberId, readCursor(cursor, "G"), PAGE_SIZE + 1]);
      return pageFrom(rows, toBlockOrder, (item) => item.blockNo);
    },
  };
}
