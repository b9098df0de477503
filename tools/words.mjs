/**
 * Divides English, the language everybody starts with, so that nobody waits for words they do not see yet:
 * `en.json?first` holds what the entrance and the first lines of the home screen say, `en.json?rest` everything else.
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

const PART = /\/locales\/en\.json\?(first|rest)$/;

/** The words of a tree that are first, or those that are not; groups with nothing left in them are not there. */
function chosen(words, first, path = "") {
  const kept = Object.entries(words).flatMap(([name, value]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (FIRST_WORDS.includes(key)) return first ? [[name, value]] : [];
    if (typeof value === "string") return first ? [] : [[name, value]];
    const inside = chosen(value, first, key);
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
      const said = chosen(JSON.parse(await readFile(path, "utf8")), part === "first");
      return { code: `export default ${JSON.stringify(said)};`, moduleType: "js" };
    },
  },
});
