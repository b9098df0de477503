/** What a command of the simulation is aimed at. */
import type { Trader } from "./ledger-check.ts";
import type { World } from "./world.ts";

/** Mostly something of the member's own that fits, sometimes any, occasionally another member's. */
export function aimAt<Item>(
  { random, traders }: World,
  trader: Trader,
  of: (view: Trader["view"]) => Map<string, Item>,
  fits: (item: Item) => boolean,
) {
  const all = [...of((random.once(40) ? random.pick(traders) : trader).view).values()];
  const fitting = all.filter(fits);
  if (fitting.length > 0 && !random.once(10)) return random.pick(fitting);
  return all.length > 0 ? random.pick(all) : null;
}
