/** Pays a debt from the member's other wallets: profit and futures money in TWD that is no margin, then foreign money at the rate of a conversion. */
import { randomUUID } from "node:crypto";
import { convert } from "#contract/conversion.ts";
import { homeValue, HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { marginIn } from "#server/trading/futures/margin.ts";
import { midRateOf } from "./mid-rates.ts";

const OTHER_WALLETS = ["profit", "futures"] as const;

const FOREIGN = `SELECT DISTINCT currency FROM pocket
WHERE member_id = $1 AND currency <> 'TWD' AND kind IN ('available', 'profit', 'futures') AND balance > 0 ORDER BY currency`;

/** Sells as much of a currency as the debt needs. Nothing where the venue has no price for it. */
function sellCurrency(batch: Batch, memberId: number, from: Currency): void {
  const { ledger, venue } = batch;
  const [fromMid, toMid] = [midRateOf(venue, from), midRateOf(venue, HOME_CURRENCY)];
  const owed = ledger.debt(memberId).owed;
  if (!fromMid || !toMid || owed === 0) return;
  const moved = OTHER_WALLETS.map((pocket) => ({
    from: pocket,
    to: "available" as const,
    amount: ledger.balance(memberId, pocket, from),
    currency: from,
  }));
  ledger.post({ memberId, kind: "transfer", orderNo: null, moves: moved });
  const balance = ledger.balance(memberId, "available", from);
  const terms = { fromMid, toMid, spreadPerMillion: batch.rules.of(memberId).conversion.spreadPerMillion };
  const bought = convert({ ...terms, side: "buy", amount: owed });
  const sold = bought && bought.fromCents <= balance ? bought : convert({ ...terms, side: "sell", amount: balance });
  if (!sold) return;
  const moves = [
    { from: "available", to: "conversion", amount: sold.fromCents, currency: from },
    { from: "conversion", to: "available", amount: sold.toCents },
  ] as const;
  ledger.post({ memberId, kind: "conversion", orderNo: null, moves });
  const row = [randomUUID(), memberId, batch.at, from, HOME_CURRENCY, sold.fromCents, sold.toCents, homeValue(sold.fromCents, fromMid)];
  batch.deferWrite(async (tx) => {
    await query(
      tx,
      `INSERT INTO conversion (id, member_id, at, from_currency, to_currency, from_cents, to_cents, home_cents)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      row,
    );
  });
  batch.emit(memberId, { type: "wallet.changed", kind: "conversion", currencies: [from, HOME_CURRENCY] });
  ledger.repay(memberId, "available");
}

/** @returns what it paid, in cents */
export async function payFromWallets(tx: Tx, batch: Batch, memberId: number): Promise<number> {
  const { ledger } = batch;
  const owed = (): number => ledger.debt(memberId).owed;
  const before = owed();
  await readFutures(tx, batch, memberId);
  // The margin of open futures pays their own losses only.
  const paid = [ledger.repay(memberId, "profit"), ledger.repay(memberId, "futures", null, marginIn(batch, memberId).freeCents)];
  if (paid.some((amount) => amount > 0)) batch.emit(memberId, { type: "wallet.changed", kind: "transfer", currencies: [HOME_CURRENCY] });
  if (owed() > 0) {
    const foreign = await query<{ currency: Currency }>(tx, FOREIGN, [memberId]);
    for (const { currency } of foreign) {
      await ledger.openWallets(tx, [memberId], [currency]);
      sellCurrency(batch, memberId, currency);
    }
  }
  return before - owed();
}
