/** The member's bank cards, reloaded after every change. */
import { map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { withdrawalFacts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

type BankCards = Answer<"listCards">;

/** The cards, the default one first. Which of them a withdrawal uses changes with it. */
export const bankCards: Resource<BankCards> = resource<BankCards>({
  load: () => call("listCards", {}, { shownByCaller: true }),
  deltas$: withdrawalFacts$.pipe(
    map(() => {
      bankCards.refetch();
      return (same: BankCards) => same;
    }),
  ),
});

/** Read the cards in a component. */
export function useBankCards(): Read<BankCards> {
  return useResource(bankCards);
}
