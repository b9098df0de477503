/**
 * Vite plugin that splits every locale by when it is needed (`locales/parts.ts`): `en.json?first` holds the texts of sign-in and the top
 * of the home screen and loads the other parts, such as `en.json?main`. The main part also holds the names of sectors, for the languages in
 * which the server has none (`locales/sectors`).
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PARTS, partOf } from "#locales/parts.ts";

const FURTHER = ["main", ...Object.keys(PARTS).filter((part) => part !== "first")];
const FILE = new RegExp(`/locales/([\\w-]+)\\.json\\?(first|${FURTHER.join("|")})$`);

/** Filters a locale tree by part; empty groups are dropped. */
function filterPart(words, part, path = "") {
  const kept = Object.entries(words).flatMap(([name, value]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (typeof value === "string") return partOf(key) === part ? [[name, value]] : [];
    const inside = filterPart(value, part, key);
    return Object.keys(inside).length > 0 ? [[name, inside]] : [];
  });
  return Object.fromEntries(kept);
}

/** The loaders of the other parts, kept with the first one: a client needs those of its own language only. */
const loaders = (language) =>
  `export const further = {${FURTHER.map((part) => `${part}: () => import(${JSON.stringify(`./${language}.json?${part}`)})`).join(",")}};`;

/** The names of sectors by code; null for a language that shows the server's names. */
const sectorNames = (path) => readFile(path, "utf8").then(JSON.parse, () => null);

/** @returns {import("vite").Plugin} */
export const words = () => ({
  name: "words",
  load: {
    filter: { id: FILE },
    async handler(id) {
      const [path] = id.split("?");
      const [, language, part] = FILE.exec(id);
      this.addWatchFile(path);
      const messages = filterPart(JSON.parse(await readFile(path, "utf8")), part);
      const sectors = join(dirname(path), "sectors", `${language}.json`);
      const names = part === "main" ? await sectorNames(sectors) : null;
      if (names) this.addWatchFile(sectors);
      const texts = names ? { ...messages, sector: names } : messages;
      const code = `export default ${JSON.stringify(texts)};${part === "first" ? loaders(language) : ""}`;
      return { code, moduleType: "js" };
    },
  },
});
