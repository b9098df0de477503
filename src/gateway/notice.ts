/** Short words for the member that arise outside the screens: the shell shows each as a toast. */
import { Subject } from "rxjs";

/** How long a toast stays (specification section 9). */
export const NOTICE_MS = 2_000;

export type NoticeTone = "info" | "success" | "danger";

export interface Notice {
  text: string;
  tone: NoticeTone;
}

/** Every notice as it comes; the toast host of the shell watches it. */
export const notices$ = new Subject<Notice>();

/** Show one line, already translated, for two seconds. */
export function notify(text: string, tone: NoticeTone = "info"): void {
  notices$.next({ text, tone });
}
