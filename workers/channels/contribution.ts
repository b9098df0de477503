/** An index's breadth and contributors for the page, with formatted points. */
import type { Contribution } from "#contract/sector-heat.ts";
import { formatChange } from "#contract/kernel/money.ts";
import { newestValue, rowOf } from "./channel-part.ts";
import type { ChannelPart } from "./channel-part.ts";

/** The leaders' and laggards' points are formatted in the same order. */
export interface ContributionUpdate {
  code: string;
  index: Contribution;
  texts: { leaders: string[]; laggards: string[] };
}

const pointsOf = (parts: Contribution["leaders"]): string[] => parts.map(([, change]) => formatChange(change));

export const watchContribution = (code: string): ChannelPart<"contribution", ContributionUpdate> =>
  newestValue(
    (instruments) => rowOf(code, instruments),
    (index, instruments) =>
      index.row === rowOf(code, instruments)
        ? { code, index, texts: { leaders: pointsOf(index.leaders), laggards: pointsOf(index.laggards) } }
        : null,
  );
