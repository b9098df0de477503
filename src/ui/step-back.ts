/** Steps back from the history entry of a closed overlay. The browser does so later; whatever opens a page or an overlay waits for it. */

/** Longest wait, for a browser that never steps back; normally it takes a few milliseconds, on a busy phone a second. */
const GIVE_UP_MS = 5_000;

/** The steps under way. */
const steps = new Set<symbol>();
/** What waits; tells whether it opened something over the page. */
type Act = () => "opened" | null | void;
let waiting: Act[] = [];
/** The click that waits: the last one, because who clicks again has seen nothing happen. */
let held: MouseEvent | null = null;

/** Act once no step back is under way. The browser steps back from where it is by then: it would leave an entry made before. */
export function onceSteppedBack(act: Act): void {
  if (steps.size === 0) act();
  else waiting.push(act);
}

/** Clicks wait too: any of them may follow a link. */
function hold(click: MouseEvent): void {
  click.preventDefault();
  click.stopImmediatePropagation();
  held = click;
}

/**
 * Act on what has waited. Where something opens, a click made before it was seen is dropped: it was meant for what it now covers.
 * @throws what an act threw, once the others have acted
 */
function release(): void {
  const [acts, click] = [waiting, held];
  [waiting, held] = [[], null];
  let hasOpened = false;
  const errors: unknown[] = [];
  for (const act of acts) {
    try {
      if (act() === "opened") hasOpened = true;
    } catch (error) {
      errors.push(error);
    }
  }
  if (!hasOpened) click?.target?.dispatchEvent(new MouseEvent("click", click));
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
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
