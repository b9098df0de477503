/** How the app looks on this device: theme and colour convention, kept in a cookie because local storage has five keys and no more. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Rising red (Taiwan), rising green (elsewhere), or two colours everybody tells apart. */
export const CONVENTIONS = ["red-up", "green-up", "safe"] as const;
export type Convention = (typeof CONVENTIONS)[number];

export interface Appearance {
  theme: Theme;
  convention: Convention;
}

const YEAR_S = 365 * 24 * 60 * 60;

/** What is chosen now; `public/boot.js` has put it on the page before the first paint. */
export function currentAppearance(): Appearance {
  const { look, updown } = document.documentElement.dataset;
  return { theme: THEMES.find((one) => one === look) ?? "system", convention: CONVENTIONS.find((one) => one === updown) ?? "red-up" };
}

/** Apply a look at once and remember it for a year. */
export function chooseAppearance(look: Appearance): void {
  const root = document.documentElement;
  root.dataset["look"] = look.theme;
  root.dataset["updown"] = look.convention;
  document.cookie = `look=${look.theme}.${look.convention}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
