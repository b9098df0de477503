/** Handlers of index futures: contracts with quotes, the margin account, orders, positions and trades. */
import { markLots, pointsWorth } from "#contract/futures-price.ts";
import type { FuturesProduct } from "#contract/futures-price.ts";
import type { FuturesAccount } from "#contract/futures.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { heldOf } from "#server/trading/futures/futures-in-batch.ts";
import { contractsNow, indexLevels, markNow } from "#server/trading/futures/contracts.ts";
import { isCalled, lackingOf, marginOf, readWallet, riskPercentOf } from "#server/trading/futures/margin.ts";
import { prepareFutures, tradeFutures } from "#server/accounts/futures/order.ts";
import { quoteFutures } from "#server/accounts/futures/quote.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { toFuturesPosition, toFuturesTrade } from "#server/records/futures.ts";
import type { FuturesRecord, FuturesTradeRecord } from "#server/records/futures.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface FuturesHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

const POSITIONS =
  "SELECT * FROM futures_position WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const TRADES = "SELECT * FROM futures_trade WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";

async function readFutures({ db, venue, sequencer }: FuturesHandlerDeps, memberId: number) {
  const { walletCents, open } = await readWallet(db.kysely, memberId);
  const rows = open.futures;
  const at = sequencer.now();
  const { rules } = sequencer;
  const margin = marginOf({ venue, rules }, at, walletCents, open);
  const { equityCents, initialCents, maintenanceCents, freeCents } = margin;
  const account: FuturesAccount = {
    walletCents: cents(walletCents),
    equityCents,
    initialCents,
    maintenanceCents,
    freeCents,
    riskPercent: riskPercentOf(margin),
    called: isCalled(open),
    neededCents: lackingOf(margin, open),
  };
  const held = rows.map((row) => {
    const mark = row.expiry_day < venue.feeDay(at) ? null : markNow(venue, row.expiry_day, at);
    const gained = mark === null ? 0 : markLots(heldOf(row), mark).gained;
    return { position: toFuturesPosition(row), mark, gainCents: pointsWorth(row.product, gained) };
  });
  const index = indexLevels(venue);
  const contracts = contractsNow(venue, at);
  const termsOf = (product: FuturesProduct) => futuresRuleAt(rules, memberId, product, at);
  const terms = { TX: termsOf("TX"), MTX: termsOf("MTX"), TMF: termsOf("TMF") };
  return { open: venue.phase(at) === "open", index: index && price(index.last), contracts, terms, account, held, at: epochMs(at) };
}

/** What the database alone answers. */
export const futuresReads = ({ db }: { db: Database }): Pick<Handlers, "listFuturesPositions" | "listFuturesTrades"> => ({
  async listFuturesPositions({ caller: { memberId } }, { cursor }) {
    const rows = await query<FuturesRecord>(db.kysely, POSITIONS, [memberId, readCursor(cursor, "X"), PAGE_SIZE + 1]);
    return pageFrom(rows, toFuturesPosition, (item) => item.positionNo);
  },
  async listFuturesTrades({ caller: { memberId } }, { cursor }) {
    const rows = await query<FuturesTradeRecord>(db.kysely, TRADES, [memberId, readCursor(cursor, "Y"), PAGE_SIZE + 1]);
    return pageFrom(rows, toFuturesTrade, (item) => item.tradeNo);
  },
});

export function futuresHandlers(
  deps: FuturesHandlerDeps,
): Pick<Handlers, "readFutures" | "quoteFutures" | "tradeFutures" | "listFuturesPositions" | "listFuturesTrades"> {
  const { db, venue, sequencer } = deps;
  return {
    ...futuresReads({ db }),
    readFutures: ({ caller: { memberId } }) => readFutures(deps, memberId),
    async quoteFutures({ caller: { memberId } }, body) {
      const wallet = await readWallet(db.kysely, memberId);
      const at = epochMs(sequencer.now());
      return { ...quoteFutures({ venue, rules: sequencer.rules, at }, memberId, wallet, body), at };
    },
    tradeFutures: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "tradeFutures",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareFutures(tx, batch, memberId),
          (batch, reads) => tradeFutures(batch, memberId, body, reads),
        ),
        // It places no order; but what it opens counts against a daily limit, for which holdings are read.
        placements: 1,
      }),
  };
}
