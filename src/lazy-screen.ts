/** What a route is, and how its screen is loaded together with the texts it needs. */
import { lazy } from "react";
import type { ComponentType } from "react";
import type en from "#locales/en.json";
import { loadTranslations } from "#src/gateway/language.ts";
import type { FurtherPart } from "#src/gateway/language.ts";
import type { PlainRoute, Route } from "./paths.ts";

export type TitleKey = keyof typeof en.app.title;
export type TabName = keyof typeof en.tab;

export interface ScreenRoute {
  path: Route;
  /** Its key in `app.title`, for the window's title. */
  title: TitleKey;
  Screen: ComponentType;
  /** The tab it belongs to. */
  tab?: TabName;
  /** A tab's root shows the tab bar on phones. */
  root?: boolean;
  /** Leaving and coming back restores scroll, tabs and typed text. */
  keep?: boolean;
  /** Names in its query with which it shows one thing of its list: that is a view of its own, which is not kept. */
  one?: readonly string[];
  /** Replaces the screen in the wide layout. */
  Wide?: ComponentType;
  /** In the wide layout this page's list stays beside it. */
  list?: PlainRoute;
  /** In the wide layout this is shown beside the page, where it has no list. */
  beside?: PlainRoute | ComponentType;
  /** Open without a session; every other route redirects to the sign-in page. */
  open?: boolean;
}

/** How each screen is loaded. */
const loads = new Map<ComponentType, () => Promise<unknown>>();

/**
 * A lazily loaded screen together with the texts it needs beside the main ones and those of refusals, and with another chunk it needs at
 * once. `main`: it refuses nothing itself, and needs the main texts only; `first`: not even those.
 */
export function screen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  parts: readonly FurtherPart[] | "main" | "first" = [],
  further: (() => Promise<unknown>) | null = null,
): ComponentType {
  const texts = () => {
    if (parts === "first") return null;
    return parts === "main" ? loadTranslations() : loadTranslations("refusals", ...parts);
  };
  const both = () => Promise.all([load(), texts(), further?.()]);
  const Screen = lazy(async () => {
    const [loaded] = await both();
    const Loaded: ComponentType = loaded[name];
    return { default: Loaded };
  });
  loads.set(Screen, both);
  return Screen;
}

/** Load a screen before it is shown; a failed load is tried again when it is. */
export function loadScreen(Screen: ComponentType): void {
  loads
    .get(Screen)?.()
    .catch(() => undefined);
}
