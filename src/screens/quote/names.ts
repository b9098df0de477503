/** What instruments and categories are called in the reader's language. */
import { useTranslation } from "react-i18next";
import type { Category, Instrument } from "#contract/instrument.ts";

/** Both short names, Chinese first, once where they are the same. */
export function fullName({ zh, en }: Pick<Instrument, "zh" | "en">): string {
  return zh === en ? zh : `${zh} ${en}`;
}

/** A category's name in one language. */
export function categoryName(category: Category, language: string): string {
  if (language === "zh-TW") return category.zh;
  return language === "zh-CN" ? category.zhCn : category.en;
}

/** `2330 · TWSE`: where an instrument is listed. */
export function usePlace(): (instrument: Pick<Instrument, "code" | "board">) => string {
  const { t } = useTranslation();
  return ({ code, board }) => `${code} · ${t(`market.board.${board}`)}`;
}
