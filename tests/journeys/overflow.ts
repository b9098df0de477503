/** Finds what is wider than the screen, or than a part of it that scrolls up and down only. */
import type { Page } from "playwright-core";

/**
 * Everything on screen that is too wide at its current width. What is meant to scroll sideways says so: `overscroll-behavior-x: contain`
 * also keeps a swipe at its end from leaving the page.
 */
export const overflow = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    const found: string[] = [];
    /** Text for screen readers only is a pixel wide, and parts of pixels are rounded up. */
    const tooWide = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 1 && scrollWidth > clientWidth + 1;
    /** What is inside a part that scrolls sideways makes nothing else wide. */
    const scrolls = (from: Element | null, end: Element): boolean =>
      from !== null && from !== end && (getComputedStyle(from).overflowX !== "visible" || scrolls(from.parentElement, end));
    const report = (what: string, scroller: Element, inside: Iterable<Element>): void => {
      const { left } = scroller.getBoundingClientRect();
      const edge = left + scroller.clientLeft + scroller.clientWidth;
      const far = [...inside].filter((one) => one.getBoundingClientRect().right > edge + 0.5 && !scrolls(one.parentElement, scroller));
      const culprits = far.slice(0, 3).map((one) => one.outerHTML.slice(0, 120));
      found.push(`${at}: ${what} ${scroller.scrollWidth} of ${scroller.clientWidth} px, ${culprits.join(" | ")}`);
    };
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) report("the page", root, document.querySelectorAll("main *"));
    for (const scroller of document.querySelectorAll("body *")) {
      if (!tooWide(scroller) || !scroller.checkVisibility()) continue;
      const { overflowX, overscrollBehaviorX } = getComputedStyle(scroller);
      if (!["auto", "scroll"].includes(overflowX) || overscrollBehaviorX === "contain") continue;
      report(scroller.outerHTML.slice(0, 80), scroller, scroller.querySelectorAll("*"));
    }
    return found;
  }, place);
