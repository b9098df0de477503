/** Renders UI kit components into a page for tests, with the English texts. */
import i18next from "i18next";
import { act } from "react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import { MemoryRouter } from "react-router-dom";
import en from "#locales/en.json";

declare global {
  // React requires this flag for `act`.
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

export interface Shown {
  place: HTMLElement;
  again: (node: ReactNode) => Promise<void>;
  gone: () => Promise<void>;
}

/** Renders a node inside a router at `path`, which may include a query. */
export async function show(node: ReactNode, path = "/"): Promise<Shown> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  if (!i18next.isInitialized) await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const again = (next: ReactNode): Promise<void> =>
    act(async () => root.render(<MemoryRouter initialEntries={[path]}>{next}</MemoryRouter>));
  await again(node);
  return {
    place,
    again,
    gone: async () => {
      await act(async () => root.unmount());
      place.remove();
    },
  };
}

/** The one element a selector finds; a tag name gives that tag's own type. @throws when there is none */
export function one<Tag extends keyof HTMLElementTagNameMap>(place: ParentNode, selector: Tag): HTMLElementTagNameMap[Tag];
export function one(place: ParentNode, selector: string): HTMLElement;
export function one(place: ParentNode, selector: string): HTMLElement {
  const found = place.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no element matches ${selector}`);
  return found;
}

/** Runs an action and lets React settle. */
export async function doing(what: () => void): Promise<void> {
  await act(async () => what());
}
