/**
 * Divides English, the language everybody starts with, so that nobody waits for words they do not see yet:
 * `en.json?first` holds what the entrance and the home screen say, `en.json?rest` everything else.
 */
import { readFile } from "node:fs/promises";

/** The groups of words the shell, the entrance and the home screen need. */
export const FIRST_WORDS = ["app", "ui", "tab", "login", "home", "market", "favorite"];

const PART = /\/locales\/en\.json\?(first|rest)$/;

/** @returns {import("vite").Plugin} */
export const words = () => ({
  name: "words",
  load: {
    filter: { id: PART },
    async handler(id) {
      const [path, part] = id.split("?");
      this.addWatchFile(path);
      const groups = Object.entries(JSON.parse(await readFile(path, "utf8")));
      const chosen = Object.fromEntries(groups.filter(([name]) => FIRST_WORDS.includes(name) === (part === "first")));
      return { code: `export default ${JSON.stringify(chosen)};`, moduleType: "js" };
    },
  },
});
