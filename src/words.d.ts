/** Type of the first part of a language file, which loads the others; see `tools/words.mjs`. */
declare module "#locales/*.json?first" {
  import type { Part } from "#locales/parts.ts";

  const words: object;
  export default words;
  export const further: Record<Exclude<Part, "first">, () => Promise<{ default: object }>>;
}
