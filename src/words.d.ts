/** The three parts every language is built in; see `tools/words.mjs`. */
declare module "#locales/*" {
  const words: object;
  export default words;
}
