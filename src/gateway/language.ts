/** The language of everything on screen: chosen once, kept under `language`, applied by a reload. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type en from "#locales/en.json";
import first from "#locales/en.json?first";
import { read, write } from "./storage.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** Every language there is, by the name its speakers give it. */
export const LANGUAGES = {
  en: "English",
  af: "Afrikaans",
  zu: "isiZulu",
  xh: "isiXhosa",
  "zh-TW": "繁體中文",
  "zh-CN": "简体中文",
} as const;
export type Language = keyof typeof LANGUAGES;

/** The languages whose texts no native speaker has read yet. */
export const UNREVIEWED: readonly Language[] = ["zu", "xh"];

/** The parts a language comes in: for the entrance and home, for nearly every screen, for the few that are opened rarely. */
type Part = "first" | "rest" | "later";
type Dictionary = Record<Part, () => Promise<{ default: object }>>;

const dictionaries: Record<Language, Dictionary> = {
  en: {
    first: () => Promise.resolve({ default: first }),
    rest: () => import("#locales/en.json?rest"),
    later: () => import("#locales/en.json?later"),
  },
  af: {
    first: () => import("#locales/af.json?first"),
    rest: () => import("#locales/af.json?rest"),
    later: () => import("#locales/af.json?later"),
  },
  zu: {
    first: () => import("#locales/zu.json?first"),
    rest: () => import("#locales/zu.json?rest"),
    later: () => import("#locales/zu.json?later"),
  },
  xh: {
    first: () => import("#locales/xh.json?first"),
    rest: () => import("#locales/xh.json?rest"),
    later: () => import("#locales/xh.json?later"),
  },
  "zh-TW": {
    first: () => import("#locales/zh-TW.json?first"),
    rest: () => import("#locales/zh-TW.json?rest"),
    later: () => import("#locales/zh-TW.json?later"),
  },
  "zh-CN": {
    first: () => import("#locales/zh-CN.json?first"),
    rest: () => import("#locales/zh-CN.json?rest"),
    later: () => import("#locales/zh-CN.json?later"),
  },
};

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

/** The chosen language; English until one is chosen. */
export function currentLanguage(): Language {
  const stored = read("language");
  return isLanguage(stored) ? stored : "en";
}

/** Load the chosen language. Look-up falls back to English, then to the key. A dictionary that does not load leaves English. */
export async function startLanguage(): Promise<void> {
  const language = currentLanguage();
  document.documentElement.lang = language;
  const resources: Record<string, { translation: object }> = { en: { translation: first } };
  if (language !== "en") {
    const loaded = await dictionaries[language].first().catch(() => null);
    if (loaded) resources[language] = { translation: loaded.default };
  }
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources,
    interpolation: { escapeValue: false },
    returnEmptyString: false,
  });
}

const PATIENCE_MS = 2_000;
const asked = new Map<Part, Promise<void>>();

/** Load a part of the language, and where it does not come that of English. Rejects when neither does, and asks again the next time. */
function wordsOf(part: Part): Promise<void> {
  const known = asked.get(part);
  if (known) return known;
  const take = async (language: Language): Promise<void> => {
    const loaded = await dictionaries[language][part]();
    i18next.addResourceBundle(language, "translation", loaded.default, true, true);
  };
  const coming = take(currentLanguage())
    .catch(() => take("en"))
    .catch((problem: unknown) => {
      asked.delete(part);
      throw problem;
    });
  asked.set(part, coming);
  return coming;
}

/**
 * Load what is said beyond the entrance and the home screen. The screens that say it wait for it, and so does every refusal; the app
 * asks for it as soon as it stands.
 */
export function mainWords(): Promise<void> {
  return wordsOf("rest");
}

/** Load everything, with what only a few screens say. */
export async function allWords(): Promise<void> {
  await Promise.all([mainWords(), wordsOf("later")]);
}

/** The same for whoever can do without: it never rejects, and keeps nobody waiting longer than two seconds. */
export async function wordsAtHand(): Promise<void> {
  const patience = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS));
  await Promise.race([mainWords().catch(() => null), patience]);
}

/** Keep another language and start the app again in it. */
export function chooseLanguage(language: Language): void {
  if (language === currentLanguage()) return;
  write("language", language);
  window.location.reload();
}
