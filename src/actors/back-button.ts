/** The native shell's back button: one actor for the whole app, with its effects. */
import i18next from "i18next";
import { createActor } from "xstate";
import { backButtonMachine } from "#machines/back-button.ts";
import { onBackButton, quitApp } from "#src/gateway/shell.ts";
import { showToast, toastsAreShown } from "#src/gateway/toasts.ts";
import { registerActor } from "./registry.ts";

/** Start following the back button. */
export function startBackButton(): void {
  const actor = registerActor(
    createActor(
      backButtonMachine.provide({
        actions: {
          goBack: () => window.history.back(),
          askAgain: () => {
            if (toastsAreShown()) showToast(i18next.t("app.backAgain"));
          },
          quit: quitApp,
        },
      }),
    ),
  );
  actor.start();
  onBackButton((canGoBack) => actor.send({ type: "PRESS", canGoBack }));
}
