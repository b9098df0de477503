/** A scripted scroll, the same on every device: down through the list for half the time, and up again. */

/** Screens a second: about as fast as a thumb that looks for something. */
const SCREENS_PER_SECOND = 2;

/** Scroll whatever scrolls inside a place for so long; a place that does not scroll is only waited for. */
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
