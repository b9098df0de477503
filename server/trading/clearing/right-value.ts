/** Values rights to the new shares of capital increases, and the shares bought with them that are not delivered yet, at the latest prices. */
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { EntitlementRecord, OfferingRecord } from "#server/records/offering.ts";
import { isOfMarket } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";

type Increase = Pick<OfferingRecord, "market" | "code" | "phase" | "price">;
type PriceOf = Pick<Venue, "instrument" | "quote" | "state">;

/** What a new share is worth above its price now, in price units; null where there is no market for it any more. */
function gainOf(venue: PriceOf, at: number, { phase, price: paid, ...offering }: Increase): number | null {
  const instrument = isOfMarket(offering, venue, at) ? venue.instrument(offering.code) : undefined;
  const quote = instrument && venue.quote(instrument.row);
  const now = quote ? quote.last || quote.reference : 0;
  return phase === "void" || paid === null || now === 0 ? null : now - paid;
}

/**
 * What a lapsed right to one share is paid, in price units: what it is worth now, at most what it was worth on the ex-date. Paying the latter
 * in any case would let a holder wait and choose the better of the two. Where there is no market any more nobody could have exercised it.
 */
export function lapsedWorth(venue: PriceOf, at: number, offering: Increase, right: Pick<EntitlementRecord, "worth">): number {
  const gain = gainOf(venue, at, offering);
  return gain === null ? right.worth : Math.min(right.worth, Math.max(0, gain));
}

/** `free`: new shares of a right that are not applied for. `bought`: those applied for or bought, whose price is held as money. */
interface OpenRight extends Increase, Pick<EntitlementRecord, "member_id" | "worth"> {
  free: number;
  bought: number;
}

const OPEN = `
SELECT e.member_id, e.worth, o.market, o.code, o.phase, o.price, bought,
  CASE WHEN settled_at IS NULL THEN shares - bought ELSE 0 END AS free
FROM offering AS o JOIN entitlement AS e USING (offering_no), LATERAL (
  SELECT coalesce(sum(s.lots * o.lot_shares), 0)::bigint AS bought FROM subscription AS s
  WHERE s.offering_no = o.offering_no AND s.member_id = e.member_id AND o.phase <> 'void'
    AND (s.status IN ('subscribing', 'won') OR (s.status = 'paid' AND s.order_no IS NULL))) AS applied
WHERE o.kind = 'increase' AND ($1::bigint IS NULL OR e.member_id = $1) AND (settled_at IS NULL OR o.phase IN ('closed', 'allotted'))`;

const valueOf = (venue: PriceOf, at: number, { free, bought, ...right }: OpenRight): number =>
  worth(price(lapsedWorth(venue, at, right, right)), free) + worth(price(gainOf(venue, at, right) ?? 0), bought);

/** The value of open rights by member, of one or of all (null). */
export async function valueRights(on: Reader, venue: PriceOf, memberId: number | null, at: number): Promise<Map<number, Cents>> {
  const totals = new Map<number, Cents>();
  for (const right of await query<OpenRight>(on, OPEN, [memberId])) {
    totals.set(right.member_id, cents((totals.get(right.member_id) ?? 0) + valueOf(venue, at, right)));
  }
  return totals;
}
