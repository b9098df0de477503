/** The random steps of block trades: what sellers offer on a day, purchases, and their cancellation. */
import { HOUR_MS } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import type { Trader } from "./ledger-check.ts";
import type { World } from "./world.ts";

/** Rows of stocks that sellers offer. */
const ROWS = [0, 1, 7];
const LOT = 1_000;

/** Sellers offer blocks until some hours from now, around the market's prices. */
export function offerBlocks(world: World): void {
  const { random, venue, clock } = world;
  const offers = ROWS.flatMap((row) => {
    const instrument = venue.instruments[row];
    if (!instrument || random.once(4)) return [];
    const closesAt = clock.now + random.int(6, 48) * HOUR_MS;
    return {
      offerId: random.uuid().slice(0, 13),
      row,
      price: toTick(instrument.kind, Math.round((venue.quote(row).last * (1000 + random.int(-8, 30))) / 1000)),
      shares: random.int(10, 60) * LOT,
      opensAt: clock.now,
      closesAt,
      unlocksAt: closesAt + HOUR_MS,
    };
  });
  world.offers = offers.map(({ offerId }) => offerId);
  venue.setBlocks(random.once(10) ? null : offers);
}

export function buyingBlock({ random, offers }: World): object | null {
  if (offers.length === 0) return null;
  return {
    requestId: random.uuid(),
    offerId: random.pick(offers),
    shares: random.int(random.once(10) ? 5 : 10, random.once(4) ? 40 : 12) * LOT,
  };
}

export function cancellingBlock({ random, traders }: World, trader: Trader): object | null {
  const known = [...(random.once(20) ? random.pick(traders) : trader).view.blocks.values()];
  const open = known.filter(({ status }) => status === "pending");
  const aimed = open.length > 0 && !random.once(10) ? open : known;
  return aimed.length === 0 ? null : { requestId: random.uuid(), blockNo: random.pick(aimed).blockNo };
}
