/** Handlers of news: pages by topic or instrument, and one article by id. */
import { sql } from "kysely";
import type { Code } from "#contract/kernel/id.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { NewsItem } from "#contract/news.ts";
import type { Database } from "#server/db/database.ts";
import type { NewsTable } from "#server/db/news-schema.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom } from "./page.ts";

type Row = Pick<NewsTable, "at" | "kind" | "codes" | "board" | "category"> & { id: number; facts: NewsItem["facts"] };

const toNews = ({ id, at, kind, codes, board, category, facts }: Row): NewsItem => ({
  id: `N${id}`,
  at: epochMs(at),
  kind,
  codes: codes as Code[],
  category: board === null || category === null ? null : { board, code: category },
  facts,
});

/** Parses a cursor. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
function readCursor(cursor: string | null): { at: number; id: number } | null {
  if (cursor === null) return null;
  const [, at, id] = /^(\d{1,15})N(\d{1,12})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return { at: Number(at), id: Number(id) };
}

export function newsHandlers({
  db,
  venue,
  now,
}: {
  db: Database;
  venue: Venue;
  now: () => number;
}): Pick<Handlers, "listNews" | "readNews"> {
  // The table may still hold articles about the market of another seed, which do not apply to this one.
  const universe = (): string => marketName(venue.state(now()));
  const columns = sql`id, at, kind, codes, board, category, facts`;
  return {
    async listNews(_call, { topic, code, cursor }) {
      const after = readCursor(cursor);
      const { rows } = await sql<Row>`
        SELECT ${columns} FROM news
        WHERE universe = ${universe()}
          AND (${topic}::text IS NULL OR topic = ${topic}::text)
          AND (${code}::text IS NULL OR codes @> ARRAY[${code}::text])
          AND (${after?.at ?? null}::bigint IS NULL OR (at, id) < (${after?.at ?? null}::bigint, ${after?.id ?? null}::bigint))
        ORDER BY at DESC, id DESC LIMIT ${PAGE_SIZE + 1}`.execute(db.kysely);
      return pageFrom(rows, toNews, (_item, { at, id }) => `${at}N${id}`);
    },
    async readNews(_call, { id }) {
      const { rows } = await sql<Row>`SELECT ${columns} FROM news WHERE universe = ${universe()} AND id = ${Number(id.slice(1))}`.execute(
        db.kysely,
      );
      const [row] = rows;
      if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "id");
      return toNews(row);
    },
  };
}
