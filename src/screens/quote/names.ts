/** What instruments, categories and groups of the watchlist are called in the reader's language. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { nameIn } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { WatchGroup } from "#contract/watchlist.ts";

type Named = Pick<Instrument, "zh" | "zhCn" | "en">;

/** The one name a reader of a language knows an instrument or a category by; the app's language when none is given. */
export function shortName(named: Named, language: string = i18next.language): string {
  return nameIn(language, named);
}

/** Readers of Chinese get their name; all others English first and the registered name behind it, once where they are the same. */
export function fullName(named: Named, language: string = i18next.language): string {
  const first = shortName(named, language);
  return first === named.zh || first === named.zhCn ? first : `${first} ${named.zh}`;
}

/** `2330 · TWSE`: where an instrument is listed. */
export function usePlace(): (instrument: Pick<Instrument, "code" | "board">) => string {
  const { t } = useTranslation();
  return ({ code, board }) => `${code} · ${t(`market.board.${board}`)}`;
}

/** A group's name; the first one has none until its member gives it one. */
export function useGroupName(): (group: Pick<WatchGroup, "name">) => string {
  const { t } = useTranslation();
  return ({ name }) => (name === "" ? t("favorite.firstGroup") : name);
}
