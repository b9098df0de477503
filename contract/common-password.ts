/** Tells whether a password is one of the first that people try: well-known words with the usual endings, runs of keys, repetitions. */

/** Words that passwords are made of, without digits and in small letters. */
const WORDS = new Set(
  (
    "password passwort passw0rd pass secret letmein welcome admin administrator root user guest login master access default changeme test testing " +
    "qwerty qwertz azerty asdf zxcv asdfgh zxcvbn qazwsx iloveyou loveyou lovely love hello sunshine princess dragon monkey shadow superman batman " +
    "football baseball basketball soccer hockey michael jordan jennifer jessica ashley daniel charlie thomas andrew matthew hunter buster harley " +
    "ginger summer winter spring autumn monday sunday january december freedom whatever trustno starwars pokemon minecraft computer internet " +
    "samsung apple google facebook taiwan taipei kaohsiung kuroshio broker stock stocks trade trading trader money bank invest investor bitcoin " +
    "happy lucky angel baby flower orange banana cheese cookie chocolate pepper purple silver golden diamond killer mustang ferrari mercedes porsche " +
    "family forever friend friends jesus christ heaven blessed maggie snoopy tigger bailey sophie nicole amanda joshua robert william richard " +
    "woaini aini woaiwo mima nihao wode taiwanno sandbox demo example sample abc abcd abcdef"
  ).split(" "),
);

/** Rows of keys and the order of letters and digits, both ways, wrapped once so that runs may pass the end. */
const RUNS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "abcdefghijklmnopqrstuvwxyz", "01234567890"].flatMap(
  (run) => [
    run + run,
    Array.from(run + run)
      .toReversed()
      .join(""),
  ],
);

const LEET: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s", "!": "i" };

/** Whether a text is one piece written twice or more: `abab`, `1111`. */
const repeats = (text: string): boolean => text.length > 1 && (text + text).indexOf(text, 1) < text.length;

/** Whether a text is made of runs of at least four keys in a row. */
function isRuns(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    let size = text.length - at;
    while (size > 0 && !RUNS.some((run) => run.includes(text.slice(at, at + size)))) size -= 1;
    if (size < 4) return false;
    at += size;
  }
  return true;
}

/** A date as people write it: 19900101, 01011990, 1990. */
const isDate = (text: string): boolean => /^(?:19|20)\d\d(?:[01]\d[0-3]\d)?$|^[0-3]\d[0-3]\d(?:19|20)\d\d$/.test(text);

/** Tells whether a password is too common to be used. It is compared without case, the usual endings and the usual substitutions. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (text === "") return false;
  const bare = text.replaceAll(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, "");
  const plain = Array.from(text.replaceAll(/[\d\p{P}\p{S}\s]+$/gu, ""), (letter) => LEET[letter] ?? letter).join("");
  const spelled = Array.from(text, (letter) => LEET[letter] ?? letter)
    .join("")
    .replaceAll(/[\d\p{P}\p{S}\s]+$/gu, "");
  const isWord = (word: string): boolean => WORDS.has(word) || (repeats(word) && word.length <= 12);
  // A word may be long enough by itself only together with others: "correcthorsebattery" is fine, "password2024!" is not.
  if ([text, bare, plain, spelled].some(isWord)) return true;
  return (
    repeats(text) ||
    isRuns(text) ||
    (bare.length >= 6 && isRuns(bare)) ||
    isRuns(text.replaceAll(/[\p{P}\p{S}\s]+$/gu, "")) ||
    isDate(text.replaceAll(/\D/g, "").length === text.length ? text : "")
  );
}
