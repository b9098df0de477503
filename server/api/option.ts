/** Handlers of TAIEX options: the chain with its quotes, orders, positions and trades. */
import { cents, price } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { OptionAccount } from "#contract/option.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { closeOption, openOption, prepareCloseOption, prepareOpenOption } from "#server/accounts/options/order.ts";
import { quoteCloseOption, quoteOption } from "#server/accounts/options/quote.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toOptionPosition, toOptionTrade } from "#server/records/option.ts";
import type { OptionRecord, OptionTradeRecord } from "#server/records/option.ts";
import { indexLevels } from "#server/trading/futures/contracts.ts";
import { isCalled, lackingOf, marginOf, readWallet, riskPercentOf } from "#server/trading/futures/margin.ts";
import type { WalletMargin } from "#server/trading/futures/margin.ts";
import { expiryMargins, optionPairs, optionShares } from "#server/trading/futures/option-margin.ts";
import type { OpenContracts } from "#server/trading/futures/option-margin.ts";
import { OptionMarks } from "#server/trading/futures/option-value.ts";
import { chainNow, expiriesNow, optionDeliveries } from "#server/trading/futures/option-series.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface OptionHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

const POSITIONS =
  "SELECT * FROM option_position WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const TRADES = "SELECT * FROM option_trade WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";

function accountOf(margin: WalletMargin, walletCents: number, rows: OpenContracts): OptionAccount {
  const { equityCents, initialCents, maintenanceCents, freeCents, longCents, shortCents } = margin;
  return {
    walletCents: cents(walletCents),
    equityCents,
    initialCents,
    maintenanceCents,
    freeCents,
    longCents,
    shortCents,
    riskPercent: riskPercentOf(margin),
    called: isCalled(rows),
    neededCents: lackingOf(margin, rows),
  };
}

/** A position with its prices of now. */
function heldOf(venue: Venue, marks: OptionMarks, row: OptionRecord, marginCents: number) {
  const { at } = marks;
  const expired = row.expiry_day < venue.feeDay(at);
  const quote = expired ? null : marks.quote(row);
  return {
    position: toOptionPosition(row),
    close: quote && venue.phase(at) === "open" ? (row.lots > 0 ? quote.bid : quote.ask) : null,
    mark: expired ? null : marks.mark(row),
    gainCents: cents(marks.gain(row)),
    openGainCents: cents(marks.worth(row) - premiumWorth(row.cost_tenths)),
    marginCents: cents(marginCents),
  };
}

async function readOptions({ db, venue, sequencer }: OptionHandlerDeps, memberId: number, wanted: string | null) {
  const { walletCents, open: rows } = await readWallet(db.kysely, memberId);
  const at = sequencer.now();
  const marks = new OptionMarks(venue, at);
  const sources = { venue, rules: sequencer.rules, marks };
  const margins = expiryMargins(sources, at, rows);
  const shares = optionShares(margins);
  const index = indexLevels(venue);
  const deliveries = index ? optionDeliveries(venue, at) : [];
  const delivery = wanted === null ? deliveries[0] : deliveries.find(({ month }) => month === wanted);
  // Without an index nothing is known of any month.
  if (index && wanted !== null && !delivery) throw new Refusal("GEN_NOT_FOUND", {}, "month");
  return {
    open: venue.phase(at) === "open",
    index: index && price(index.last),
    expiries: index ? expiriesNow(venue, at) : [],
    month: delivery?.month ?? null,
    chain: delivery ? chainNow(venue, at, delivery) : [],
    account: accountOf(marginOf(sources, at, walletCents, rows, margins), walletCents, rows),
    held: rows.options.map((row) => heldOf(venue, marks, row, shares.get(row.position_no) ?? 0)),
    pairs: optionPairs(margins).map(({ nos: [positionNo, otherNo], lots, initialCents }) => ({
      positionNo,
      otherNo,
      lots,
      marginCents: cents(initialCents),
    })),
    at: epochMs(at),
  };
}

/** What the database alone answers. */
export const optionReads = ({ db }: { db: Database }): Pick<Handlers, "listOptionPositions" | "listOptionTrades"> => ({
  async listOptionPositions({ caller: { memberId } }, { cursor }) {
    const rows = await query<OptionRecord>(db.kysely, POSITIONS, [memberId, readCursor(cursor, "O"), PAGE_SIZE + 1]);
    return pageFrom(rows, toOptionPosition, (item) => item.positionNo);
  },
  async listOptionTrades({ caller: { memberId } }, { cursor }) {
    const rows = await query<OptionTradeRecord>(db.kysely, TRADES, [memberId, readCursor(cursor, "U"), PAGE_SIZE + 1]);
    return pageFrom(rows, toOptionTrade, (item) => item.tradeNo);
  },
});

export function optionHandlers(
  deps: OptionHandlerDeps,
): Pick<
  Handlers,
  "readOptions" | "quoteOption" | "quoteCloseOption" | "openOption" | "closeOption" | "listOptionPositions" | "listOptionTrades"
> {
  const { db, venue, sequencer } = deps;
  return {
    ...optionReads({ db }),
    readOptions: ({ caller: { memberId } }, { month }) => readOptions(deps, memberId, month),
    async quoteOption({ caller: { memberId } }, body) {
      const wallet = await readWallet(db.kysely, memberId);
      const at = epochMs(sequencer.now());
      return { ...quoteOption({ venue, rules: sequencer.rules, at }, memberId, wallet, body), at };
    },
    async quoteCloseOption({ caller: { memberId } }, body) {
      const wallet = await readWallet(db.kysely, memberId);
      const at = epochMs(sequencer.now());
      return { ...quoteCloseOption({ venue, rules: sequencer.rules, at }, wallet, body), at };
    },
    openOption: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "openOption",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareOpenOption(tx, batch, memberId),
          (batch, reads) => openOption(batch, memberId, body, reads),
        ),
        // It places no order; but what it opens counts against a daily limit, for which holdings are read.
        placements: 1,
      }),
    closeOption: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "closeOption",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareCloseOption(tx, batch, memberId, body.positionNo),
          (batch, reads) => closeOption(batch, memberId, body, reads),
        ),
      }),
  };
}
