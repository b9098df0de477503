/** The texts of notifications: the app's dictionaries, each read at its first use. */
import { readFile } from "node:fs/promises";
import i18next from "i18next";
import type { Translate } from "#contract/announcement.ts";
import type { PushLanguage } from "#contract/push-subscription.ts";

const FOLDER = new URL("../../locales/", import.meta.url);

async function load(language: PushLanguage): Promise<Translate> {
  const translation: unknown = JSON.parse(await readFile(new URL(`${language}.json`, FOLDER), "utf8"));
  const dictionary = i18next.createInstance();
  await dictionary.init({
    lng: language,
    resources: { [language]: { translation: translation as object } },
    interpolation: { escapeValue: false },
  });
  return (key, values) => dictionary.t(key, { ...values });
}

const loaded = new Map<PushLanguage, Promise<Translate>>();

/** The dictionary of a language. */
export function dictionaryOf(language: PushLanguage): Promise<Translate> {
  const known = loaded.get(language) ?? load(language);
  loaded.set(language, known);
  known.catch(() => loaded.delete(language));
  return known;
}
