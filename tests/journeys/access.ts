/** Checks of one page for everyone: whole numbers in large text, tab order, names of the buttons in a dialog, and forced colours. */
import type { Page } from "playwright-core";

/** Numbers that are broken over lines, or cut off by their container; and fields that cut off their value. */
export const brokenNumbers = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    const NUMBER = /[−+]?\d[\d,]*(?:\.\d+)?%?/g;
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
      for (const match of (node.nodeValue ?? "").matchAll(NUMBER)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        const box = range.getBoundingClientRect();
        // For screen readers only.
        if (box.width < 2 || parentElement.clientWidth === 1) continue;
        if (lines.size > 1) found.push(`${at}: ${match[0]} is broken in ${parentElement.outerHTML.slice(0, 120)}`);
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
export async function disordered(
  { keyboard, evaluate }: { keyboard: Page["keyboard"]; evaluate: Page["evaluate"] },
  presses: number,
): Promise<string[]> {
  const found: string[] = [];
  let before: { name: string; top: number; bottom: number; left: number; group: string } | null = null;
  for (let nth = 0; nth < presses; nth += 1) {
    await keyboard.press("Tab");
    const now = await evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { top, bottom, left } = (element.closest("label") ?? element).getBoundingClientRect();
      // Header, content and tabs are stacked areas, each with its own scroll position.
      const group = element.closest("nav") ? "tabs" : element.closest("header") ? "header" : element.closest("main") ? "main" : "";
      return { name: element.getAttribute("aria-label") ?? element.textContent?.slice(0, 40) ?? "", top, bottom, left, group };
    });
    if (now && before?.group === now.group && now.group !== "") {
      const above = now.bottom <= before.top + 1;
      const sameLine = now.top < before.bottom - 1 && before.top < now.bottom - 1;
      if (above || (sameLine && now.left < before.left - 1)) found.push(`${before.name} → ${now.name}`);
    }
    before = now;
  }
  return found;
}
