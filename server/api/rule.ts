/** Handler of the trading rules that apply to the caller. */
import type { Handlers } from "./handler.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export function ruleHandlers({ sequencer }: { sequencer: Sequencer }): Pick<Handlers, "readRules"> {
  return { readRules: async ({ caller: { memberId } }) => sequencer.rules.of(memberId) };
}
