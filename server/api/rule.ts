/** The desk of rules: what a member trades by, told as it is kept. */
import type { Handlers } from "./handler.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

/** The desk's handlers. */
export function ruleHandlers({ sequencer }: { sequencer: Sequencer }): Pick<Handlers, "readRules"> {
  return { readRules: async ({ caller: { memberId } }) => sequencer.rules.of(memberId) };
}
