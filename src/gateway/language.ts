/** The app's language: chosen by the member, stored under `language`, applied by a reload. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type en from "#locales/en.json";
import * as english from "#locales/en.json?first";
import type { Part } from "#locales/parts.ts";
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

/** The parts of a dictionary beyond the first one, which is loaded at start-up. */
export type FurtherPart = Exclude<Part, "first">;
type Dictionary = typeof english;

const dictionaries: Record<Language, () => Promise<Dictionary>> = {
  en: () => Promise.resolve(english),
  af: () => import("#locales/af.json?first"),
  zu: () => import("#locales/zu.json?first"),
  xh: () => import("#locales/xh.json?first"),
  "zh-TW": () => import("#locales/zh-TW.json?first"),
  "zh-CN": () => import("#locales/zh-CN.json?first"),
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
  const resources: Record<string, { translation: object }> = { en: { translation: english.default } };
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

const LOAD_LIMIT_MS = 2_000;
const requested = new Map<FurtherPart, Promise<void>>();

/** Load a part of the language, or of English when that fails. Rejects when both fail; the next call tries again. */
function loadPart(part: FurtherPart): Promise<void> {
  const pending = requested.get(part);
  if (pending) return pending;
  const add = async (language: Language): Promise<void> => {
    const { further } = await dictionaries[language]();
    const loaded = await further[part]();
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
 * Load the main texts, which nearly every screen needs, and further parts (`locales/parts.ts`). The screens that use them wait for them,
 * and every refusal waits for the main ones and its own; the app requests those as soon as it is mounted.
 */
export async function loadTranslations(...parts: readonly FurtherPart[]): Promise<void> {
  await Promise.all([loadPart("main"), ...parts.map(loadPart)]);
}

/** Wait for the main texts and those of refusals for at most two seconds; never rejects. */
export async function waitForTranslations(): Promise<void> {
  const limit = new Promise<void>((resolve) => void setTimeout(resolve, LOAD_LIMIT_MS));
  await Promise.race([loadTranslations("refusals").catch(() => null), limit]);
}

/** Store another language and reload the app in it. */
export function chooseLanguage(language: Language): void {
  if (language === currentLanguage()) return;
  write("language", language);
  window.location.reload();
}
