/** Kysely types of the news tables. */
import type { GeneratedAlways, JSONColumnType } from "kysely";
import type { NewsKind, NewsTopic } from "#contract/news.ts";

export interface NewsTable {
  id: GeneratedAlways<number>;
  universe: string;
  day: number;
  subject: string;
  at: number;
  topic: NewsTopic;
  kind: NewsKind;
  codes: string[];
  board: string | null;
  category: string | null;
  facts: JSONColumnType<object>;
}

export interface NewsEditionTable {
  universe: string;
  day: number;
  nth: number;
  at: number;
}
