/** The five-level depth of the instrument on screen: the newest by time. */
import type { Depth } from "#contract/quote.ts";
import { newestValue, rowOf } from "./channel-part.ts";
import type { ChannelPart } from "./channel-part.ts";

export function watchDepth(code: string): ChannelPart<"depth", Depth> {
  let newestAt = 0;
  return newestValue(
    (instruments) => rowOf(code, instruments),
    (depth, instruments) => {
      if (depth.row !== rowOf(code, instruments) || depth.at < newestAt) return null;
      newestAt = depth.at;
      return depth;
    },
  );
}
