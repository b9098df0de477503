/**
 * Vite plugin that splits every locale by when it is needed (`locales/parts.ts`): `en.json?first` holds the texts of sign-in and the top
 * of the home screen and loads the other parts, such as `en.json?main`.
 */
import { readFile } from "node:fs/promises";
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
      const code = `export default ${JSON.stringify(messages)};${part === "first" ? loaders(language) : ""}`;
      return { code, moduleType: "js" };
    },
  },
});
