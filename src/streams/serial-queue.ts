/** Commands about one thing, sent one after another, so that the last answer to come is the newest one. */
import i18next from "i18next";
import type { Outcome } from "#src/gateway/api.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { stillThere } from "./resource.ts";

/** Send a command when its turn comes, and do something with the answer. Resolves to how it went; never rejects. */
export type SerialTask = <Data>(send: () => Promise<Outcome<Data>>, settle?: (outcome: Outcome<Data>) => void) => Promise<Outcome<Data>>;

/** Say that something shown already could not be kept; a refusal has been said by then, and who left need not know. */
export function sayUnkept({ failed }: Outcome<unknown>): void {
  if (failed !== null && failed !== "expired" && failed !== "cancelled") showToast(i18next.t("operation.OP_SAVE_FAIL"), "danger");
}

const LEFT = { ok: false, refused: null, failed: "cancelled" } as const;

/** A queue of its own. What a member asked for is neither sent nor taken over once that member has left. */
export function serialQueue(): SerialTask {
  let before: Promise<unknown> = Promise.resolve();
  return (send, settle) => {
    const there = stillThere();
    const turn = before.then(async () => {
      if (!there()) return LEFT;
      const outcome = await send();
      if (!there()) return LEFT;
      settle?.(outcome);
      return outcome;
    });
    before = turn;
    return turn;
  };
}
