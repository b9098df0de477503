/** Tells the member what happened to orders, alerts and the account, on whichever screen: toast, notification, tone, vibration, badge. */
import i18next from "i18next";
import { filter, take } from "rxjs";
import { announcementOf } from "#contract/announcement.ts";
import { keyOf } from "#contract/announcement-key.ts";
import { linesOf, withAnnouncement } from "#contract/announcement-burst.ts";
import type { Line, Told } from "#contract/announcement-burst.ts";
import type { Fact } from "#contract/fact.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { isPushed, startPush } from "#src/gateway/push.ts";
import { haptic } from "#src/gateway/shell.ts";
import { playTone } from "#src/gateway/sound.ts";
import { showToast, TOAST_MS } from "#src/gateway/toasts.ts";
import { facts$ } from "#src/streams/facts.ts";
import { instrumentOf } from "#src/streams/instruments.ts";
import { forgetChanged, noteChanged } from "#src/streams/order-changes.ts";
import { preferences } from "#src/streams/preferences.ts";
import type { Path } from "#src/paths.ts";

/** Facts that arrive within this time are told together: an order that fills level by level, or what was missed while offline. */
export const BURST_MS = 250;
/** The lines of a burst, worded in the app's language. */
const worded = (told: readonly Told[]): Line[] =>
  linesOf(told, { language: i18next.language, instrumentOf, t: (name, values) => i18next.t(name, values ?? {}) });

function signal(lines: readonly Line[]): void {
  const known = preferences.now().value;
  const urgent = lines.some(({ tone }) => tone === "danger");
  if (known?.sound) void playTone(urgent ? "urgent" : lines.some(({ tone }) => tone === "success") ? "fill" : "end").catch(() => undefined);
  if (known?.vibrate ?? true) haptic(urgent ? "error" : "success");
}

async function tell(told: readonly Told[]): Promise<void> {
  await loadTranslations("account", "refusals").catch(() => undefined);
  // Only now are there words for the badge.
  for (const { announcement } of told) if (announcement.kind === "report") noteChanged(announcement.report.orderNo);
  const lines = worded(told);
  signal(lines);
  if (document.visibilityState === "visible") {
    for (const { title, tone, key } of lines) showToast(title, tone, { key, urgent: tone === "danger" });
    return;
  }
  // A device that is subscribed gets the same from the push service.
  if (!preferences.now().value?.notify || isPushed()) return;
  // The routes of the contract are those of the app; a test compares them.
  for (const { title, text, route, key } of lines) await showNotification(title, text, { route: route as Path, tag: key });
}

/** Collects bursts. A fill that follows while the toast of an earlier one is still visible is added to it. */
class Announcer {
  #burst: Told[] = [];
  #recent: Told[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forget: ReturnType<typeof setTimeout> | undefined;

  add(fact: Fact): void {
    const announcement = announcementOf(fact);
    if (!announcement) return;
    const key = keyOf(announcement);
    const recent = this.#recent.filter((one) => one.key === key);
    this.#burst = withAnnouncement(this.#burst.some((one) => one.key === key) ? this.#burst : [...this.#burst, ...recent], announcement);
    this.#timer ??= setTimeout(() => this.#flush(), BURST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#forget);
    forgetChanged();
  }

  #flush(): void {
    this.#timer = undefined;
    const told = this.#burst;
    this.#burst = [];
    this.#recent = told;
    clearTimeout(this.#forget);
    this.#forget = setTimeout(() => (this.#recent = []), TOAST_MS);
    void tell(told);
  }
}

/** Subscribe this device, once the preferences are known to want notifications. @returns a function that stops waiting for that */
function pushWhenWanted(): () => void {
  const watching = preferences.state$
    .pipe(
      filter(({ value }) => value !== null),
      take(1),
    )
    .subscribe(({ value }) => void (value?.notify && startPush().catch(() => false)));
  return () => watching.unsubscribe();
}

/** Announce what happens to the member. @returns a function that stops it */
export function announce(): () => void {
  // Keeps the preferences loaded: something may happen long after the page was last visible.
  const keepLoaded = preferences.state$.subscribe();
  const stopPushing = pushWhenWanted();
  const announcer = new Announcer();
  const watching = facts$.subscribe((fact) => announcer.add(fact));
  return () => {
    stopPushing();
    keepLoaded.unsubscribe();
    watching.unsubscribe();
    announcer.stop();
  };
}
