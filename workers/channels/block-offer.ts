/** The block market for the page: the newest offers, which the screens that show them format. */
import type { BlockMarket } from "#contract/block-market.ts";
import { newestValue } from "./channel-part.ts";
import type { ChannelPart } from "./channel-part.ts";

export const watchBlocks = (): ChannelPart<"blocks", BlockMarket> =>
  newestValue(
    () => true,
    (market) => market,
  );
