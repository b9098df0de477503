/** Formats a news article in the app's language: headline and paragraphs, filled from the article's facts. */
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatPercent, formatPrice, grouped } from "#contract/kernel/money.ts";
import type { NewsItem, NewsKind } from "#contract/news.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import type { Instruments } from "#src/streams/instruments.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { cashText, perThousandText } from "./ex-amounts.ts";
import { categoryName, shortName } from "./names.ts";

export interface NewsWords {
  title: string;
  paragraphs: string[];
}

/** Every number of an article as text; missing ones were not reported. */
type Texts = Partial<Record<"price" | "change" | "size" | "high" | "low" | "reference" | "cash" | "rightsPrice", string>> &
  Partial<Record<"volume" | "turnover" | "times" | "up" | "down" | "limitUp" | "limitDown" | "free" | "rights", string>>;

/** A paragraph, and the values it requires. */
type Paragraph = readonly [
  key:
    | "day"
    | "range"
    | "breadth"
    | "limits"
    | "volume"
    | "turnover"
    | "cash"
    | "free"
    | "rights"
    | "reference"
    | "strongest"
    | "lastDay"
    | "maturity",
  needs: readonly (keyof Texts | "strongest")[],
];

const DAY: Paragraph = ["day", ["price", "change"]];
const RANGE: Paragraph = ["range", ["high", "low"]];
const BREADTH: Paragraph = ["breadth", ["up", "down"]];
const LIMITS: Paragraph = ["limits", ["limitUp", "limitDown"]];
const VOLUME: Paragraph = ["volume", ["volume"]];
const TURNOVER: Paragraph = ["turnover", ["turnover"]];
const STRONGEST: Paragraph = ["strongest", ["strongest"]];

/** The paragraphs of each kind below its headline. */
const PARAGRAPHS: Readonly<Record<NewsKind, readonly Paragraph[]>> = {
  open: [BREADTH, LIMITS],
  midday: [RANGE, BREADTH, LIMITS, TURNOVER],
  wrap: [RANGE, BREADTH, LIMITS, TURNOVER],
  surge: [RANGE, VOLUME],
  plunge: [RANGE, VOLUME],
  limitUp: [DAY, VOLUME],
  limitDown: [DAY, VOLUME],
  busy: [VOLUME, DAY, RANGE],
  exEvent: [
    ["cash", ["cash"]],
    ["free", ["free"]],
    ["rights", ["rights", "rightsPrice"]],
    ["reference", ["reference"]],
  ],
  sectorUp: [STRONGEST, BREADTH, LIMITS, TURNOVER],
  sectorDown: [STRONGEST, BREADTH, LIMITS, TURNOVER],
  listing: [["reference", ["reference"]], DAY, VOLUME],
  lastDay: [["lastDay", []]],
  maturity: [["maturity", ["price"]]],
};

function textsOf({ facts }: NewsItem, decimals: number, short: (count: number) => string): Texts {
  const price = (units: number): string => formatPrice(units, decimals);
  const texts: Texts = {};
  const put = (key: keyof Texts, value: number | undefined, format: (value: number) => string): void => {
    if (value !== undefined) texts[key] = format(value);
  };
  put("price", facts.price, price);
  put("high", facts.high, price);
  put("low", facts.low, price);
  put("reference", facts.reference, price);
  put("change", facts.change, (change) => formatPercent(change));
  put("size", facts.change, (change) => formatPercent(Math.abs(change), "never"));
  put("volume", facts.volume, (lots) => grouped(String(lots)));
  put("turnover", facts.turnover, short);
  put("times", facts.times, (tenths) => (tenths / 10).toFixed(1));
  for (const count of ["up", "down", "limitUp", "limitDown"] as const) put(count, facts[count], String);
  if ((facts.cash ?? 0) > 0) put("cash", facts.cash, cashText);
  if ((facts.freeMillionths ?? 0) > 0) put("free", facts.freeMillionths, perThousandText);
  if ((facts.rightsMillionths ?? 0) > 0) {
    put("rights", facts.rightsMillionths, perThousandText);
    put("rightsPrice", facts.price, price);
  }
  return texts;
}

/** Formats an article. */
export function newsWords(item: NewsItem, table: Instruments, t: TFunction, language: string, short: (count: number) => string): NewsWords {
  const instrumentOf = (code: string | undefined): Instrument | undefined => (code === undefined ? undefined : table.byCode.get(code));
  const first = instrumentOf(item.codes[0]);
  const category = table.categories.find(({ board, code }) => board === item.category?.board && code === item.category.code);
  const name = first ? shortName(first, language) : (item.codes[0] ?? "");
  const sector = category ? categoryName(category, language) : "";
  const values = { ...textsOf(item, first?.decimals ?? 2, short), name, sector, ...(first ? { strongest: name } : {}) };
  const paragraphs = PARAGRAPHS[item.kind].filter(([, needs]) => needs.every((need) => values[need] !== undefined));
  return {
    title: t(`news.headline.${item.kind}`, values),
    paragraphs: paragraphs.map(([key]) => t(`news.paragraph.${key}`, values)),
  };
}

/** The article formatter as a hook; null while the instrument table is loading. */
export function useNewsWords(): ((item: NewsItem) => NewsWords) | null {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const short = useShortNumber();
  return useMemo(() => (table ? (item) => newsWords(item, table, t, i18n.language, short) : null), [table, t, i18n.language, short]);
}
