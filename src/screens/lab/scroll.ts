/** A scripted scroll, equal on every device: down the list for half the time, then up again. */

/** Viewport heights per second: about as fast as a thumb scrolls when searching. */
const SCREENS_PER_SECOND = 2;

/** Scroll the first scrollable element inside `place` for a time (ms); without one, only wait. */
export function scrollThrough(place: HTMLElement | null, forMs: number): Promise<void> {
  const scroller = [...(place?.querySelectorAll<HTMLElement>("*") ?? [])].find((one) => one.scrollHeight > one.clientHeight * 2) ?? null;
  const from = scroller?.scrollTop ?? 0;
  const perMs = ((scroller?.clientHeight ?? 0) * SCREENS_PER_SECOND) / 1000;
  return new Promise((done) => {
    const began = performance.now();
    const step = (now: number): void => {
      const passed = Math.max(0, now - began);
      scroller?.scrollTo({ top: from + perMs * (passed < forMs / 2 ? passed : forMs - passed) });
      if (passed < forMs) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  });
}
