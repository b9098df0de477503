/** The two parts English is built in; see `tools/words.mjs`. */
declare module "#locales/en.json?*" {
  const words: object;
  export default words;
}
