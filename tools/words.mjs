/**
 * Divides every language, so that nobody waits for words they do not see yet: `en.json?first` holds what the entrance and the first
 * lines of the home screen say, `?later` what only screens say that few open and rarely, `?rest` everything else.
 */
import { readFile } from "node:fs/promises";

/** What the shell, the furniture, the entrance and the first lines of the home screen say: groups of words, or single ones of a group. */
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

/** What only documents, applications and the lab say. */
export const LATER_WORDS = ["rule", "margin", "dayTrading", "machines", "load", "service"];

const PART = /\/locales\/[\w-]+\.json\?(first|rest|later)$/;

/** Which part a group of words, or a single one, belongs to by itself; null where the words within decide. */
function partOf(key) {
  if (FIRST_WORDS.includes(key)) return "first";
  return LATER_WORDS.includes(key) ? "later" : null;
}

/** The words of a tree that belong to a part; groups with nothing left in them are not there. */
function chosen(words, part, path = "") {
  const kept = Object.entries(words).flatMap(([name, value]) => {
    const key = path === "" ? name : `${path}.${name}`;
    const own = partOf(key) ?? (typeof value === "string" ? "rest" : null);
    if (own !== null) return own === part ? [[name, value]] : [];
    const inside = chosen(value, part, key);
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
      const said = chosen(JSON.parse(await readFile(path, "utf8")), part);
      return { code: `export default ${JSON.stringify(said)};`, moduleType: "js" };
    },
  },
});
