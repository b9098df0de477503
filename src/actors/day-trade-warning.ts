/** Warns the member, on whichever screen, once open day trades lose as much as their warning level. */
import i18next from "i18next";
import { combineLatest, distinctUntilChanged, map } from "rxjs";
import { formatPercent } from "#contract/kernel/money.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { dayTrading, daySum$, lostBasisPoints, warns } from "#src/streams/day-trading.ts";
import { preferences } from "#src/streams/preferences.ts";

async function warn(lost: number): Promise<void> {
  await loadTranslations("later").catch(() => undefined);
  const text = i18next.t("dayTrading.warned", { percent: formatPercent(lost, "never") });
  if (document.visibilityState === "visible") showToast(text, "danger");
  else if (preferences.now().value?.notify) await showNotification(i18next.t("dayTrading.title"), text, { route: "/home/dayTrading" });
}

/** Warn once each time the loss reaches the warning level. @returns a function that stops it */
export function warnDayTrades(): () => void {
  const watching = combineLatest([dayTrading.state$, daySum$])
    .pipe(
      map(([{ value }, sum]) => (value !== null && warns(sum, value.warningPercent) ? lostBasisPoints(sum) : null)),
      distinctUntilChanged((before, now) => (before === null) === (now === null)),
    )
    .subscribe((lost) => lost !== null && void warn(lost));
  return () => watching.unsubscribe();
}
