/** Handlers of savings plans: the member's plans, their changes, and their months. */
import { Refusal } from "#server/kernel/refusal.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";

type Served = Pick<
  Handlers,
  | "listSavingsPlans"
  | "startSavingsPlan"
  | "changeSavingsPlan"
  | "pauseSavingsPlan"
  | "resumeSavingsPlan"
  | "endSavingsPlan"
  | "listSavingsRuns"
>;

const refuse = async (): Promise<never> => {
  throw new Refusal("GEN_NOT_FOUND", {}, "planNo");
};

export function savingsPlanHandlers({ sequencer }: { sequencer: Sequencer }): Served {
  return {
    listSavingsPlans: async ({ caller: { memberId } }) => ({ plans: [], rule: sequencer.rules.of(memberId).savings, firstAt: [] }),
    startSavingsPlan: async () => {
      throw new Refusal("TRD_NOT_TRADABLE", {}, "code");
    },
    changeSavingsPlan: refuse,
    pauseSavingsPlan: refuse,
    resumeSavingsPlan: refuse,
    endSavingsPlan: refuse,
    listSavingsRuns: async () => ({ items: [], next: null }),
  };
}
