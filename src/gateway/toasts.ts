/** Short words for the member that arise outside the screens: the shell shows each as a toast. */
import { Observable, Subject } from "rxjs";

/** How long a toast stays (specification section 9). */
export const NOTICE_MS = 2_000;

export type ToastTone = "info" | "success" | "danger";

export interface ToastMessage {
  text: string;
  tone: ToastTone;
}

const said = new Subject<ToastMessage>();
/** Said before anybody could show it: an order that outlived a reload may be known before the shell stands. */
const early: ToastMessage[] = [];

/** Every notice as it comes, beginning with what nobody has shown yet; the toast host of the shell watches it. */
export const toasts$ = new Observable<ToastMessage>((watcher) => {
  const watching = said.subscribe(watcher);
  early.splice(0).forEach((notice) => watcher.next(notice));
  return watching;
});

/** Show one line, already translated, for two seconds. */
export function showToast(text: string, tone: ToastTone = "info"): void {
  if (said.observed) said.next({ text, tone });
  else early.push({ text, tone });
}
