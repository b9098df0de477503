/** Open day trades that lose as much as the member set are said at once, wherever the member looks. */
import i18next from "i18next";
import { combineLatest, distinctUntilChanged, map } from "rxjs";
import { formatPercent } from "#contract/kernel/money.ts";
import { allWords } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { dayTrading, daySum$, lostBasisPoints, warns } from "#src/streams/day-trading.ts";
import { preferences } from "#src/streams/preferences.ts";

async function say(lost: number): Promise<void> {
  await allWords().catch(() => undefined);
  const text = i18next.t("dayTrading.warned", { percent: formatPercent(lost, "never") });
  if (document.visibilityState === "visible") showToast(text, "danger");
  else if (preferences.now().value?.notify) await showNotification(i18next.t("dayTrading.title"), text, "/home/dayTrading");
}

/** Say it once each time the loss comes that far. @returns how to stop */
export function warnDayTrades(): () => void {
  const watching = combineLatest([dayTrading.state$, daySum$])
    .pipe(
      map(([{ value }, sum]) => (value !== null && warns(sum, value.warningPercent) ? lostBasisPoints(sum) : null)),
      distinctUntilChanged((before, now) => (before === null) === (now === null)),
    )
    .subscribe((lost) => lost !== null && void say(lost));
  return () => watching.unsubscribe();
}
