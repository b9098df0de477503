/** Gives the focus back when a dialog closes: to what opened it, or, once that is gone, to the list or page it was in. */

/** How long after a dialog what opened it may still go away because of it: its row, once the broker has answered. */
const GOES_MS = 5_000;

/** What had the focus when a dialog opened, and the part of the page it was in. */
interface Opener {
  element: Element;
  place: HTMLElement | null;
}
const openers = new WeakMap<Element, Opener>();

/** Call before the dialog is shown. From within another dialog the opener is what that one was opened by. */
export function noteOpener(dialog: Element): void {
  const focused = document.activeElement;
  if (!focused) return;
  const outer = focused.closest("dialog");
  const opener = (outer && openers.get(outer)) ?? { element: focused, place: focused.closest<HTMLElement>("[role=tabpanel], main") };
  openers.set(dialog, opener);
}

/** Whether nothing that stays has the focus. A closing dialog can keep it until its transition is over. */
function isLost(dialog: Element | null): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || !activeElement.checkVisibility()) return true;
  return dialog?.contains(activeElement) ?? false;
}

function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Once the focused opener goes away, its place takes the focus, unless something else has taken it. */
function followOpener(opener: Element, place: HTMLElement): void {
  const stop = (): void => {
    observer.disconnect();
    window.clearTimeout(timer);
    document.removeEventListener("focusin", stop);
  };
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return;
    stop();
    if (isLost(null) && place.isConnected) focusPlace(place);
  });
  const timer = window.setTimeout(stop, GOES_MS);
  observer.observe(place, { childList: true, subtree: true });
  document.addEventListener("focusin", stop);
}

/** Call after the dialog is closed. The browser gives the focus back only to an opener that was not in another dialog. */
export function returnFocus(dialog: Element): void {
  const opener = openers.get(dialog);
  if (!opener) return;
  const { element, place } = opener;
  if (isLost(dialog) && element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
  if (!place?.isConnected) return;
  if (!element.isConnected && isLost(dialog)) focusPlace(place);
  else if (document.activeElement === element) followOpener(element, place);
}
