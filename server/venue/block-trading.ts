/** A market without sellers of blocks: a live feed reports none. */
import type { BlockTrading } from "./venue.ts";

export const NO_BLOCKS: BlockTrading = {
  hours: () => ({ open: false, changesAt: null }),
  offers: () => [],
  setTaken: () => undefined,
};
