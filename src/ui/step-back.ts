/** Steps back from the history entry of a closed overlay. The browser does so later; whatever opens a page or an overlay waits for it. */

/** Longest wait, for a browser that never steps back; normally it takes a few milliseconds, on a busy phone a second. */
const GIVE_UP_MS = 5_000;

/** The steps under way. */
const steps = new Set<symbol>();
let waiting: (() => void)[] = [];
/** The click that waits: the last one, because who clicks again has seen nothing happen. */
let held: MouseEvent | null = null;

/** Act once no step back is under way. The browser steps back from where it is by then: it would leave an entry made before. */
export function onceSteppedBack(act: () => void): void {
  if (steps.size === 0) act();
  else waiting.push(act);
}

/** Clicks wait too: any of them may follow a link. */
function hold(click: MouseEvent): void {
  click.preventDefault();
  click.stopImmediatePropagation();
  held = click;
}

/** Act on what has waited. Where something opens, a click made before it was seen is dropped: it was meant for what it now covers. */
function release(): void {
  const [acts, click] = [waiting, held];
  [waiting, held] = [[], null];
  for (const act of acts) act();
  if (acts.length === 0) click?.target?.dispatchEvent(new MouseEvent("click", click));
}

/** Step back from the current entry. */
export function stepBack(): void {
  const step = Symbol("step");
  const finish = (): void => {
    window.clearTimeout(timer);
    window.removeEventListener("popstate", finish);
    if (!steps.delete(step) || steps.size > 0) return;
    window.removeEventListener("click", hold, true);
    release();
  };
  const timer = window.setTimeout(finish, GIVE_UP_MS);
  window.addEventListener("popstate", finish);
  window.addEventListener("click", hold, true);
  steps.add(step);
  window.history.back();
}
