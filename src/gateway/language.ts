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

const dictionaries: Record<Exclude<Language, "en">, () => Promise<{ default: object }>> = {
  af: () => import("#locales/af.json"),
  zu: () => import("#locales/zu.json"),
  xh: () => import("#locales/xh.json"),
  "zh-TW": () => import("#locales/zh-TW.json"),
  "zh-CN": () => import("#locales/zh-CN.json"),
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
    const loaded = await dictionaries[language]().catch(() => null);
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
let rest: Promise<void> | null = null;

/**
 * Load what English says beyond the entrance and the home screen. The screens that say it wait for it, and so does every refusal;
 * the app asks for it as soon as it stands. Rejects when it does not come, and asks again the next time.
 */
export function allWords(): Promise<void> {
  rest ??= import("#locales/en.json?rest").then(
    (loaded) => void i18next.addResourceBundle("en", "translation", loaded.default, true, true),
    (problem: unknown) => {
      rest = null;
      throw problem;
    },
  );
  return rest;
}

/** The same for whoever can do without: it never rejects, and keeps nobody waiting longer than two seconds. */
export async function wordsAtHand(): Promise<void> {
  const patience = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS));
  await Promise.race([allWords().catch(() => null), patience]);
}

/** Keep another language and start the app again in it. */
export function chooseLanguage(language: Language): void {
  if (language === currentLanguage()) return;
  write("language", language);
  window.location.reload();
}
