/**
 * Vite plugin that splits every locale by when it is needed: `en.json?first` holds the texts of sign-in and the top of the home screen,
 * `?later` those of rarely opened screens, `?rest` everything else.
 */
import { readFile } from "node:fs/promises";

/** Locale keys of the shell, the UI kit, sign-in and the top of the home screen: groups, or single keys of a group. */
export const FIRST_WORDS = [
  "app",
  "ui",
  "tab",
  "login",
  "home",
  "market.board",
  "market.indices",
  "market.list",
  "market.listFailed",
  "market.lists",
  "market.noRanking",
  "favorite.allGroups",
  "favorite.find",
  "favorite.firstGroup",
  "favorite.groups",
  "favorite.noneTitle",
  "favorite.noneWhy",
  "favorite.wholeRanking",
  "favorite.wholeWatchlist",
  "ranking.column",
];

/** Locale groups of documents, applications, the lab and other rarely opened parts. */
export const LATER_WORDS = ["rule", "margin", "dayTrading", "machines", "load", "service", "information.flow", "market.investor"];

const PART = /\/locales\/[\w-]+\.json\?(first|rest|later)$/;

/** The part that a key belongs to directly; null when its children decide. */
function partOf(key) {
  if (FIRST_WORDS.includes(key)) return "first";
  return LATER_WORDS.includes(key) ? "later" : null;
}

/** Filters a locale tree by part; empty groups are dropped. */
function filterPart(words, part, path = "") {
  const kept = Object.entries(words).flatMap(([name, value]) => {
    const key = path === "" ? name : `${path}.${name}`;
    const own = partOf(key) ?? (typeof value === "string" ? "rest" : null);
    if (own !== null) return own === part ? [[name, value]] : [];
    const inside = filterPart(value, part, key);
    return Object.keys(inside).length > 0 ? [[name, inside]] : [];
  });
  return Object.fromEntries(kept);
}

/** @returns {import("vite").Plugin} */
export const words = () => ({
  name: "words",
  load: {
    filter: { id: PART },
    async handler(id) {
      const [path, part] = id.split("?");
      this.addWatchFile(path);
      const messages = filterPart(JSON.parse(await readFile(path, "utf8")), part);
      return { code: `export default ${JSON.stringify(messages)};`, moduleType: "js" };
    },
  },
});
