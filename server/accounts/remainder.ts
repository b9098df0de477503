/** What is left of a member's money below the smallest withdrawal: nothing can be done with it, so it is given up with the account. */
import type { Currency } from "#contract/kernel/currency.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import { midRateOf, valueInHome } from "#server/trading/clearing/mid-rates.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Pockets whose money is the member's own and free. */
const FREE = ["available", "profit", "futures"] as const;
type Free = (typeof FREE)[number];

/** A pocket that is not empty. */
export interface Left {
  kind: string;
  currency: Currency;
  amountCents: Cents;
}

const LEFT = `SELECT kind, currency, balance AS "amountCents" FROM pocket WHERE member_id = $1 AND balance <> 0 ORDER BY currency, kind`;
export const readLeft = (on: Reader, memberId: number): Promise<Left[]> => query<Left>(on, LEFT, [memberId]);

const isFree = (left: Left): left is Left & { kind: Free } => (FREE as readonly string[]).includes(left.kind) && left.amountCents > 0;
const isPriced = (venue: Venue, currency: Currency): boolean => currency === HOME_CURRENCY || midRateOf(venue, currency) !== null;

/** What everything that is left is worth in TWD; null when it is nothing, can be withdrawn, is not free, or cannot be valued. */
export function remainderOf(left: readonly Left[], venue: Venue, leastCents: number): Cents | null {
  if (left.length === 0 || !left.every((one) => isFree(one) && isPriced(venue, one.currency))) return null;
  const worth = left.reduce(
    (sum, { currency, amountCents }) => sum + (currency === HOME_CURRENCY ? amountCents : valueInHome(venue, currency, amountCents)),
    0,
  );
  return worth < leastCents ? cents(worth) : null;
}

/** Moves everything that is left to the broker. The member is locked. */
export async function giveUp(tx: Tx, memberId: number, left: readonly Left[], at: number): Promise<void> {
  const ledger = await openLedger(tx, [memberId]);
  await ledger.openWallets(
    tx,
    [memberId],
    left.map(({ currency }) => currency),
  );
  for (const { kind, currency, amountCents: amount } of left.filter(isFree)) {
    const to = currency === HOME_CURRENCY ? "fees" : "conversion";
    ledger.post({ memberId, kind: "forfeit", orderNo: null, moves: [{ from: kind, to, amount, currency }] });
  }
  await ledger.write(tx, at);
}
