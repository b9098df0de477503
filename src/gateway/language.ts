/** The app's language: chosen by the member, stored under `language`, applied by a reload. */
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

/** Every supported language with its own name for itself. */
export const LANGUAGES = {
  en: "English",
  af: "Afrikaans",
  zu: "isiZulu",
  xh: "isiXhosa",
  "zh-TW": "繁體中文",
  "zh-CN": "简体中文",
} as const;
export type Language = keyof typeof LANGUAGES;

/** Languages whose texts no native speaker has reviewed yet. */
export const UNREVIEWED: readonly Language[] = ["zu", "xh"];

/** The parts of a dictionary: sign-in and home, nearly every screen, and the rarely opened screens. */
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

/** Load the chosen language. Look-up falls back to English, then to the key. If its dictionary does not load, English is used. */
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

const LOAD_LIMIT_MS = 2_000;
const requested = new Map<Part, Promise<void>>();

/** Load a part of the language, or of English when that fails. Rejects when both fail; the next call tries again. */
function loadPart(part: Part): Promise<void> {
  const pending = requested.get(part);
  if (pending) return pending;
  const add = async (language: Language): Promise<void> => {
    const loaded = await dictionaries[language][part]();
    i18next.addResourceBundle(language, "translation", loaded.default, true, true);
  };
  const loading = add(currentLanguage())
    .catch(() => add("en"))
    .catch((problem: unknown) => {
      requested.delete(part);
      throw problem;
    });
  requested.set(part, loading);
  return loading;
}

/**
 * Load the texts beyond sign-in and home. The screens that use them wait for them, and so does every refusal; the app
 * requests them as soon as it is mounted.
 */
export function loadMainTranslations(): Promise<void> {
  return loadPart("rest");
}

/** Load all texts, including those of rarely opened screens. */
export async function loadAllTranslations(): Promise<void> {
  await Promise.all([loadMainTranslations(), loadPart("later")]);
}

/** Wait for the texts beyond sign-in and home for at most two seconds; never rejects. */
export async function waitForTranslations(): Promise<void> {
  const limit = new Promise<void>((resolve) => void setTimeout(resolve, LOAD_LIMIT_MS));
  await Promise.race([loadMainTranslations().catch(() => null), limit]);
}

/** Store another language and reload the app in it. */
export function chooseLanguage(language: Language): void {
  if (language === currentLanguage()) return;
  write("language", language);
  window.location.reload();
}
