/** Names of instruments, categories and watchlist groups in the app's language. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { nameIn } from "#contract/instrument.ts";
import type { Category, Instrument } from "#contract/instrument.ts";
import type { WatchGroup } from "#contract/watchlist.ts";

/** The texts of a language as far as they name sectors. */
interface Texts {
  sector?: Record<string, string>;
}

type Named = Pick<Instrument, "zh" | "zhCn" | "en">;

/** The name of an instrument in a language; the app's language by default. */
export function shortName(named: Named, language: string = i18next.language): string {
  return nameIn(language, named);
}

/** Chinese languages show the Chinese name; all others the English name followed by the registered name, once if they are equal. */
export function fullName(named: Named, language: string = i18next.language): string {
  const first = shortName(named, language);
  return first === named.zh || first === named.zhCn ? first : `${first} ${named.zh}`;
}

/** The name of a category in a language: that of `locales/sectors` if it has one, and otherwise the server's. */
export function categoryName(category: Pick<Category, "code" | "zh" | "zhCn" | "en">, language: string = i18next.language): string {
  const texts = i18next.isInitialized ? (i18next.getResourceBundle(language, "translation") as Texts | undefined) : undefined;
  return texts?.sector?.[category.code] ?? shortName(category, language);
}

/** `2330 · TWSE`: where an instrument is listed. */
export function usePlace(): (instrument: Pick<Instrument, "code" | "board">) => string {
  const { t } = useTranslation();
  return ({ code, board }) => `${code} · ${t(`market.board.${board}`)}`;
}

/** A group's name; the first group has a default until the member names it. */
export function useGroupName(): (group: Pick<WatchGroup, "name">) => string {
  const { t } = useTranslation();
  return ({ name }) => (name === "" ? t("favorite.firstGroup") : name);
}
