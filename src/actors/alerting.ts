/** A fired alert is said at once: in the app while it is looked at, by the device while it is not and the member wished it. */
import { pathTo } from "#src/paths.ts";
import i18next from "i18next";
import type { AlertFact } from "#contract/fact.ts";
import { allWords } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { alertFacts$ } from "#src/streams/facts.ts";
import { instrumentOf } from "#src/streams/instruments.ts";
import { preferences } from "#src/streams/preferences.ts";
import { alertFiredWords } from "./alert-words.ts";

async function say({ alert, message }: AlertFact): Promise<void> {
  await allWords().catch(() => undefined);
  const { title, text } = alertFiredWords(alert, instrumentOf(alert.code), i18next.language, i18next.t);
  if (document.visibilityState === "visible") showToast(title);
  else if (preferences.now().value?.notify) await showNotification(title, text, pathTo("/information/msgInfo", { id: message.id }));
}

/** Say every alert that fires. @returns how to stop */
export function sayAlerts(): () => void {
  // What the member wishes must be known when the moment comes, which may be long after the page was last looked at.
  const knowing = preferences.state$.subscribe();
  const watching = alertFacts$.subscribe((fact) => void say(fact));
  return () => {
    knowing.unsubscribe();
    watching.unsubscribe();
  };
}
