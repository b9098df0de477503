/** Short messages for the member that arise outside the screens; the app shell shows each as a toast. */
import { Observable, Subject } from "rxjs";

/** How long a toast stays (specification section 9). */
export const TOAST_MS = 2_000;

export type ToastTone = "info" | "success" | "danger";

/** What else is known about a message. */
export interface ToastOptions {
  /** A later message with the same key takes its place: fill after fill of one order is one line. */
  key?: string | undefined;
  /** Interrupts a screen reader: a forced close, a margin call. */
  urgent?: boolean | undefined;
}

export interface ToastMessage extends ToastOptions {
  text: string;
  tone: ToastTone;
}

const shown = new Subject<ToastMessage>();
/** Messages shown before the shell is mounted: an order that outlived a reload may be resolved that early. */
const early: ToastMessage[] = [];

/** Every message as it comes, starting with those not shown yet; the toast host of the shell subscribes. */
export const toasts$ = new Observable<ToastMessage>((subscriber) => {
  const watching = shown.subscribe(subscriber);
  early.splice(0).forEach((message) => subscriber.next(message));
  return watching;
});

/** Whether a message would be seen now; on the welcome page there is no host yet. */
export const toastsAreShown = (): boolean => shown.observed;

/** Show one line, already translated, for two seconds. */
export function showToast(text: string, tone: ToastTone = "info", options: ToastOptions = {}): void {
  const message = { text, tone, ...options };
  if (shown.observed) shown.next(message);
  else early.push(message);
}
