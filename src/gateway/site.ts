/** The site's configuration: asked for before the app mounts, read by whoever shows title or logo. */
import { call } from "./api.ts";

export interface Site {
  title: string;
  /** A path on this origin; null when none is configured. */
  logo: string | null;
  /** Prices are a simulation's; else a real market's, traded on paper. */
  simulated: boolean;
}

let site: Site = { title: "Kuroshio", logo: null, simulated: true };

/** What the configuration says; before it was asked, the name of the project. */
export function currentSite(): Site {
  return site;
}

/** A path of the configuration, never an address elsewhere. */
function ownPath(path: string | undefined): string | null {
  if (path === undefined || path === "") return null;
  const address = new URL(path, window.location.origin);
  return address.origin === window.location.origin ? address.href : null;
}

/** Ask for the configuration. Null when all is well, else what to tell whoever is asked for help. */
export async function loadSite(): Promise<string | null> {
  const outcome = await call("readConfig", { type: "all" }, { shownByCaller: true });
  if (!outcome.ok) return outcome.refused ? outcome.refused.code : outcome.failed;
  const items = new Map(outcome.data.map(({ name, value }) => [name, value]));
  site = { title: items.get("title") ?? site.title, logo: ownPath(items.get("logo")), simulated: items.get("prices") !== "market" };
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon && site.logo !== null) icon.href = site.logo;
  document.title = site.title;
  return null;
}
