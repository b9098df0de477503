/** Handlers of fund raisings: those that are announced, and the member's stakes. */
import { Refusal } from "#server/kernel/refusal.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";

type Served = Pick<Handlers, "listRaises" | "subscribeRaise" | "withdrawStake" | "listStakes">;

export function raiseHandlers({ sequencer }: { sequencer: Sequencer }): Served {
  return {
    listRaises: async ({ caller: { memberId } }) => ({ raises: [], rule: sequencer.rules.of(memberId).raise }),
    subscribeRaise: async () => {
      throw new Refusal("GEN_NOT_FOUND", {}, "code");
    },
    withdrawStake: async () => {
      throw new Refusal("GEN_NOT_FOUND", {}, "stakeNo");
    },
    listStakes: async () => ({ items: [], next: null }),
  };
}
