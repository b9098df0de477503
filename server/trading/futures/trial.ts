/** What an account would be after a trade of futures or options, before anything is done. */
import { pointsWorth } from "#contract/futures-price.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import type { OptionRecord } from "#server/records/option.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Delivery } from "./contracts.ts";
import { tradedLots } from "./contracts-in-batch.ts";
import { heldOf, setHeld } from "./futures-in-batch.ts";
import { marginOf } from "./margin.ts";
import type { Wallet, WalletMargin } from "./margin.ts";
import type { MarginSources } from "./option-margin.ts";

/** What positions of futures and of options begin with alike: nothing paid, and the expiry. */
export const begun = ({ venue, at }: Pick<Batch, "venue" | "at">, { expiryDay, opensAt, closesAt }: Delivery) => ({
  paid_cents: 0,
  fee_cents: 0,
  tax_cents: 0,
  mark_day: venue.feeDay(at),
  expiry_day: expiryDay,
  expiry_opens_at: opensAt,
  expiry_closes_at: closesAt,
  called_day: null,
  opened_at: at,
  ended_at: null,
  version: 0,
});

/** A trade to be tried: signed lots at a price, and its charges. */
export interface Trial {
  signed: number;
  price: number;
  chargesCents: number;
}

/** A list in which a row is replaced by what becomes of it, or joined by it; what has ended is left out. */
function changed<Row extends { position_no: string; lots: number }>(rows: readonly Row[], row: Row): Row[] {
  const known = rows.some(({ position_no: no }) => no === row.position_no);
  const all = known ? rows.map((one) => (one.position_no === row.position_no ? row : one)) : [...rows, row];
  return all.filter(({ lots }) => lots !== 0);
}

/** A wallet after a trade of an option, held or new. */
export function afterOption({ walletCents, open }: Wallet, row: OptionRecord, { signed, price, chargesCents }: Trial): Wallet {
  const { left } = tradedLots({ lots: row.lots, costPoints: row.cost_tenths, markedPoints: row.marked_tenths }, signed, price);
  const after = { ...row, lots: left.lots + 0, cost_tenths: left.costPoints + 0, marked_tenths: left.markedPoints + 0 };
  return {
    walletCents: walletCents - premiumWorth(price, signed) - chargesCents,
    open: { ...open, options: changed(open.options, after) },
  };
}

/** A wallet after a trade of a future that opens lots or closes no more than there are. */
export function afterFuture({ walletCents, open }: Wallet, row: FuturesRecord, { signed, price, chargesCents }: Trial): Wallet {
  const { left, gained } = tradedLots(heldOf(row), signed, price);
  const after = { ...row };
  setHeld(after, left);
  return {
    walletCents: walletCents + pointsWorth(row.product, gained) - chargesCents,
    open: { ...open, futures: changed(open.futures, after) },
  };
}

export const marginFor = (sources: MarginSources, at: number, { walletCents, open }: Wallet): WalletMargin =>
  marginOf(sources, at, walletCents, open);

/**
 * What a wallet lacks after a trade that only closes: nothing where it needs no more margin than before, however little it has. Who closes what
 * another position was paired with needs more.
 */
export const lackingAfterClosing = (before: WalletMargin, after: WalletMargin, lackingCents: number): number =>
  after.initialCents > before.initialCents ? Math.max(0, lackingCents) : 0;
