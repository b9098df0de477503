/** Announces fired alerts: a toast while the app is visible, a device notification otherwise if the member allows it. */
import { pathTo } from "#src/paths.ts";
import i18next from "i18next";
import type { AlertFact } from "#contract/fact.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { alertFacts$ } from "#src/streams/facts.ts";
import { instrumentOf } from "#src/streams/instruments.ts";
import { preferences } from "#src/streams/preferences.ts";
import { alertFiredWords } from "./alert-words.ts";

async function announce({ alert, message }: AlertFact): Promise<void> {
  await loadTranslations().catch(() => undefined);
  const { title, text } = alertFiredWords(alert, instrumentOf(alert.code), i18next.language, i18next.t);
  if (document.visibilityState === "visible") showToast(title);
  else if (preferences.now().value?.notify) await showNotification(title, text, pathTo("/information/msgInfo", { id: message.id }));
}

/** Announce every alert that fires. @returns a function that stops it */
export function announceAlerts(): () => void {
  // Keeps the preferences loaded: an alert may fire long after the page was last visible.
  const keepLoaded = preferences.state$.subscribe();
  const watching = alertFacts$.subscribe((fact) => void announce(fact));
  return () => {
    keepLoaded.unsubscribe();
    watching.unsubscribe();
  };
}
