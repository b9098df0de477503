/** This device's theme and colour convention, kept in a cookie because the specification allows local storage five keys only. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Red for rising prices (Taiwan), green for rising prices (elsewhere), or two colours safe for colour-blind readers. */
export const CONVENTIONS = ["red-up", "green-up", "safe"] as const;
export type Convention = (typeof CONVENTIONS)[number];

export interface Appearance {
  theme: Theme;
  convention: Convention;
}

const YEAR_S = 365 * 24 * 60 * 60;

/** The current choice; `public/boot.js` has put it on the page before the first paint. */
export function currentAppearance(): Appearance {
  const { look, updown } = document.documentElement.dataset;
  return { theme: THEMES.find((one) => one === look) ?? "system", convention: CONVENTIONS.find((one) => one === updown) ?? "red-up" };
}

/** Apply an appearance at once and remember it for a year. */
export function chooseAppearance(appearance: Appearance): void {
  const root = document.documentElement;
  root.dataset["look"] = appearance.theme;
  root.dataset["updown"] = appearance.convention;
  document.cookie = `look=${appearance.theme}.${appearance.convention}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
