/** Tests of forms: fields by their labels, buttons by their words, and waiting for what is shown. */
import { doing } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

/** All text of the screen. */
export const words = (): string => document.querySelector("main")?.textContent ?? "";

/** The errors at fields. */
export const fieldErrors = (): string[] => [...document.querySelectorAll("[id$=-error]")].map((error) => error.textContent ?? "");

/** The field with a label. */
export function field(label: string): HTMLInputElement {
  const found = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label);
  return document.getElementById(found?.htmlFor ?? "") as HTMLInputElement;
}

/** Presses the last button with these words: in a dialog, that is the dialog's own. */
export const press = (name: string): Promise<void> =>
  doing(() => [...document.querySelectorAll("button")].findLast(({ textContent }) => textContent === name)?.click());

/** Types into the field with a label. */
export const type = (label: string, text: string): Promise<void> =>
  doing(() => {
    const input = field(label);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

/** Waits for something outside React. */
export async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

/** Where the links of the screen lead. */
export const ways = (): (string | null)[] => [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
