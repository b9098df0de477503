/** Short words for the member that arise outside the screens: the shell shows each as a toast. */
import { Observable, Subject } from "rxjs";

/** How long a toast stays (specification section 9). */
export const NOTICE_MS = 2_000;

export type NoticeTone = "info" | "success" | "danger";

export interface Notice {
  text: string;
  tone: NoticeTone;
}

const said = new Subject<Notice>();
/** Said before anybody could show it: an order that outlived a reload may be known before the shell stands. */
const early: Notice[] = [];

/** Every notice as it comes, beginning with what nobody has shown yet; the toast host of the shell watches it. */
export const notices$ = new Observable<Notice>((watcher) => {
  const watching = said.subscribe(watcher);
  early.splice(0).forEach((notice) => watcher.next(notice));
  return watching;
});

/** Show one line, already translated, for two seconds. */
export function notify(text: string, tone: NoticeTone = "info"): void {
  if (said.observed) said.next({ text, tone });
  else early.push({ text, tone });
}
