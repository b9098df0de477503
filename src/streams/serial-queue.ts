/** Sends commands about one resource one after another, so that the last answer is always the newest. */
import i18next from "i18next";
import type { Outcome } from "#src/gateway/api.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { sameMemberCheck } from "./resource.ts";

/** Send a command when its turn comes and handle its answer. Resolves to the outcome; never rejects. */
export type SerialTask = <Data>(send: () => Promise<Outcome<Data>>, settle?: (outcome: Outcome<Data>) => void) => Promise<Outcome<Data>>;

/** Show that no answer came to a change; a refusal is shown elsewhere, and a member who left needs no message. */
export function showFailure({ failed }: Outcome<unknown>, text = i18next.t("operation.OP_SAVE_FAIL")): void {
  if (failed !== null && failed !== "expired" && failed !== "cancelled") showToast(text, "danger");
}

const LEFT = { ok: false, refused: null, failed: "cancelled" } as const;

/** Creates a queue. Once the member signs out, queued commands are not sent and pending answers are ignored. */
export function serialQueue(): SerialTask {
  let before: Promise<unknown> = Promise.resolve();
  return (send, settle) => {
    const sameMember = sameMemberCheck();
    const turn = before.then(async () => {
      if (!sameMember()) return LEFT;
      const outcome = await send();
      if (!sameMember()) return LEFT;
      settle?.(outcome);
      return outcome;
    });
    before = turn;
    return turn;
  };
}
