/** Reads the chart's colours from the page's design tokens, so that theme and colour convention apply to the canvas too. */

/** Colours of a chart as CSS values. */
export interface Palette {
  surface: string;
  text: string;
  line: string;
  cursor: string;
  up: string;
  down: string;
  upTint: string;
  downTint: string;
  flat: string;
  accent: string;
  /** The compared index. */
  compared: string;
  /** The mark of an ex-event. */
  mark: string;
  /** The lines of studies, in their order. */
  studies: readonly string[];
  font: string;
}

/** Reads the tokens that apply to an element now. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    surface: token("--surface"),
    text: token("--text-3"),
    line: token("--line"),
    cursor: token("--line-strong"),
    up: token("--up"),
    down: token("--down"),
    upTint: token("--up-tint"),
    downTint: token("--down-tint"),
    flat: token("--text-2"),
    accent: token("--accent"),
    compared: token("--text"),
    mark: token("--warn"),
    studies: ["--study-1", "--study-2", "--study-3", "--study-4", "--study-5"].map(token),
    font: style.fontFamily,
  };
}

/**
 * Calls the listener when the page changes its theme, its colour convention or its language.
 * @returns a function that stops listening
 */
export function onRepaint(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-updown", "lang"] });
  return () => observer.disconnect();
}
