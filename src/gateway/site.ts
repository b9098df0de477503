/** The site's configuration: loaded before the app mounts, read wherever title or logo are shown. */
import { call } from "./api.ts";

export interface Site {
  title: string;
  /** A path on this origin; null when none is configured. */
  logo: string | null;
  /** Whether prices are simulated; otherwise they are a real market's, traded on paper. */
  simulated: boolean;
  /** Where customer service answers, opened outside the app: an https or mailto address; null when none is configured. */
  customerService: string | null;
}

let site: Site = { title: "Kuroshio", logo: null, simulated: true, customerService: null };

/** The loaded configuration; before that, the project's defaults. */
export function currentSite(): Site {
  return site;
}

/** A configured path on this origin; null for an address elsewhere. */
function ownPath(path: string | undefined): string | null {
  if (path === undefined || path === "") return null;
  const address = new URL(path, window.location.origin);
  return address.origin === window.location.origin ? address.href : null;
}

/** A configured address of customer service; null for any other kind, such as a script. */
export function contactAddress(address: string | undefined): string | null {
  const url = URL.parse(address ?? "");
  return url && ["https:", "mailto:"].includes(url.protocol) ? url.href : null;
}

/** Load the configuration. @returns null on success, else the refusal code or failure to show to support */
export async function loadSite(): Promise<string | null> {
  const outcome = await call("readConfig", { type: "all" }, { shownByCaller: true });
  if (!outcome.ok) return outcome.refused ? outcome.refused.code : outcome.failed;
  const items = new Map(outcome.data.map(({ name, value }) => [name, value]));
  site = {
    title: items.get("title") ?? site.title,
    logo: ownPath(items.get("logo")),
    simulated: items.get("prices") !== "market",
    customerService: contactAddress(items.get("customerService")),
  };
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon && site.logo !== null) icon.href = site.logo;
  document.title = site.title;
  return null;
}
