/** News: articles of the simulated newsroom about market events, as data that the client words in the reader's language. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

export const NEWS_TOPICS = ["market", "stocks", "sectors", "listings"] as const;
export const NewsTopic = z.enum(NEWS_TOPICS);
export type NewsTopic = z.infer<typeof NewsTopic>;

/**
 * What an article reports. Each kind has a headline and paragraphs in the locales (`news.kind.<kind>`), filled from `facts`.
 * The topic follows from the kind: open, midday, wrap: market; surge, plunge, limitUp, limitDown, busy, exEvent: stocks;
 * sectorUp, sectorDown: sectors; listing, lastDay, maturity: listings.
 */
export const NEWS_KINDS = [
  "open",
  "midday",
  "wrap",
  "surge",
  "plunge",
  "limitUp",
  "limitDown",
  "busy",
  "exEvent",
  "sectorUp",
  "sectorDown",
  "listing",
  "lastDay",
  "maturity",
] as const;
export const NewsKind = z.enum(NEWS_KINDS);
export type NewsKind = z.infer<typeof NewsKind>;

export const NEWS_TOPIC_OF: Readonly<Record<NewsKind, NewsTopic>> = {
  open: "market",
  midday: "market",
  wrap: "market",
  surge: "stocks",
  plunge: "stocks",
  limitUp: "stocks",
  limitDown: "stocks",
  busy: "stocks",
  exEvent: "stocks",
  sectorUp: "sectors",
  sectorDown: "sectors",
  listing: "listings",
  lastDay: "listings",
  maturity: "listings",
};

/**
 * The article's numbers, frozen when it was written so that it never changes: prices in ten-thousandths, changes in hundredths of
 * a percent, volume in lots, turnover in currency units. Numbers a kind does not report are absent.
 */
export const NewsFacts = z.object({
  price: z.optional(z.int()),
  change: z.optional(z.int()),
  high: z.optional(z.int()),
  low: z.optional(z.int()),
  volume: z.optional(z.int()),
  turnover: z.optional(z.int()),
  /** Volume as a multiple of an ordinary day's, in tenths. */
  times: z.optional(z.int()),
  up: z.optional(z.int()),
  down: z.optional(z.int()),
  limitUp: z.optional(z.int()),
  limitDown: z.optional(z.int()),
  /**
   * For an ex-event: cash per share in price units, free and subscribable new shares per share in millionths (`price` is then the
   * subscription price), and the reference price.
   */
  cash: z.optional(z.int()),
  freeMillionths: z.optional(z.int()),
  rightsMillionths: z.optional(z.int()),
  reference: z.optional(z.int()),
});
export type NewsFacts = z.infer<typeof NewsFacts>;

export const NewsId = z.string().check(z.regex(/^N\d{1,12}$/, "GEN_NOT_FOUND"));

export const NewsItem = z.object({
  id: NewsId,
  at: EpochMs,
  kind: NewsKind,
  /** The instruments mentioned, the subject first. */
  codes: z.array(Code),
  /** The category concerned (board and code); null for none. */
  category: z.nullable(z.object({ board: z.string(), code: z.string() })),
  facts: NewsFacts,
});
export type NewsItem = z.infer<typeof NewsItem>;

export const newsEndpoints = {
  listNews: endpoint({
    path: "/news/list",
    access: "member",
    does: "List news articles, newest first: of one topic, about one instrument, or all.",
    body: z.object({ topic: z.nullable(NewsTopic), code: z.nullable(Code), cursor: Cursor }),
    data: pageOf(NewsItem),
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
  readNews: endpoint({
    path: "/news/read",
    access: "member",
    does: "Read one article.",
    body: z.object({ id: NewsId }),
    data: NewsItem,
    refusals: ["GEN_NOT_FOUND"],
  }),
};
