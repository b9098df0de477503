/** Checks of one page for everyone: whole numbers in large text, tab order, names of the buttons in a dialog, and forced colours. */
import type { Page } from "playwright-core";

/** Numbers that are broken over lines, run out of their key, or are cut off by their container; and fields that cut off their value. */
export const brokenNumbers = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    const NUMBER = /(?<![\p{L}\d.:])[−+]?\d[\d,]*(?:\.\d+)?%?(?![\p{L}\d.:])/gu;
    const found: string[] = [];
    const cuts = (element: Element): boolean => {
      const { overflowX, textOverflow, contain } = getComputedStyle(element);
      return textOverflow !== "ellipsis" && (overflowX === "hidden" || overflowX === "clip" || /content|paint|strict/.test(contain));
    };
    const cutOff = (from: Element | null, box: DOMRect): boolean => {
      for (let element = from; element && element !== document.body; element = element.parentElement) {
        const { overflowX } = getComputedStyle(element);
        // What scrolls can be reached.
        if (overflowX === "auto" || overflowX === "scroll") return false;
        const { left, right } = element.getBoundingClientRect();
        if (cuts(element) && (box.left < left - 1 || box.right > right + 1)) return true;
      }
      return false;
    };
    const leaves = (key: Element | null, { left, right }: DOMRect): boolean => {
      const edge = key?.getBoundingClientRect();
      return edge !== undefined && (left < edge.left - 1 || right > edge.right + 1);
    };
    const scope =
      [...document.querySelectorAll("dialog[open]")].at(-1) ?? [...document.querySelectorAll("main")].find((one) => one.checkVisibility());
    const texts = document.createTreeWalker(scope ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { parentElement } = node;
      if (
        !parentElement?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        parentElement.closest("[aria-hidden=true], canvas")
      )
        continue;
      // An instrument's name and the time of an article may be cut off.
      if (parentElement.closest("time, [class*=name]")) continue;
      for (const match of (node.nodeValue ?? "").matchAll(NUMBER)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        const box = range.getBoundingClientRect();
        // For screen readers only.
        if (box.width < 2 || parentElement.clientWidth === 1) continue;
        if (lines.size > 1) found.push(`${at}: ${match[0]} is broken in ${parentElement.outerHTML.slice(0, 120)}`);
        else if (leaves(parentElement.closest("button, a"), box))
          found.push(`${at}: ${match[0]} runs over the edge of ${parentElement.closest("button, a")?.outerHTML.slice(0, 120)}`);
        else if (cutOff(parentElement, box)) found.push(`${at}: ${match[0]} is cut off in ${parentElement.outerHTML.slice(0, 120)}`);
      }
    }
    for (const field of scope?.querySelectorAll("input") ?? []) {
      if (/\d/.test(field.value) && field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
        found.push(`${at}: a field cuts off ${field.value}`);
    }
    return found;
  }, place);

/** Names that several buttons of an open dialog share. */
export const sharedNames = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const names = [...(dialog?.querySelectorAll("button") ?? [])]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .map((button) => button.getAttribute("aria-label") ?? button.innerText.trim());
    return names.filter((name, nth) => names.indexOf(name) !== nth).map((name) => `${at}: two buttons are called ${name}`);
  }, place);

/** Pairs of controls that Tab reaches against their order on the screen: upwards, or to the left within a line. */
export async function disordered(page: Page, presses: number): Promise<string[]> {
  await page.evaluate(() => Reflect.set(window, "reached", []));
  for (let nth = 0; nth < presses; nth += 1) {
    await page.keyboard.press("Tab");
    await page.evaluate(() => void (Reflect.get(window, "reached") as unknown[]).push(document.activeElement));
  }
  // Measured at the end, because Tab scrolls.
  return page.evaluate(() => {
    const found: string[] = [];
    const all = Reflect.get(window, "reached") as HTMLElement[];
    // Up to the end of the content, where Tab goes on to the browser and to the top.
    const end = all.findIndex((element) => !element.closest("main"));
    const reached = end === -1 ? all : all.slice(0, end);
    const nameOf = (element: HTMLElement): string => (element.getAttribute("aria-label") ?? element.innerText).slice(0, 40);
    for (const [nth, now] of reached.entries()) {
      const before = reached[nth - 1];
      if (!before?.isConnected || !now.isConnected) continue;
      const [one, other] = [before, now].map((element) => (element.closest("label") ?? element).getBoundingClientRect());
      if (!one || !other) continue;
      const middleOf = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;
      const above = middleOf(other) < one.top;
      const sameLine =
        middleOf(other) > one.top && middleOf(other) < one.bottom && middleOf(one) > other.top && middleOf(one) < other.bottom;
      if (above || (sameLine && other.left < one.left - 1)) found.push(`${nameOf(before)} → ${nameOf(now)}`);
    }
    return found;
  });
}
