/** Types for the three parts each language file is split into; see `tools/words.mjs`. */
declare module "#locales/*" {
  const words: object;
  export default words;
}
