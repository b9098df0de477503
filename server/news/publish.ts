/** Publishes an edition's articles: each subject once a session, with a maximum number per kind. */
import { NEWS_TOPIC_OF } from "#contract/news.ts";
import type { NewsKind } from "#contract/news.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { isSummary } from "./edition.ts";
import type { Draft } from "./report.ts";

/**
 * The maximum number of articles per kind in one edition (twice as many in a summary), and in one session: so that surges are
 * spread over the day.
 */
const MAX_ARTICLES: Readonly<Record<NewsKind, readonly [edition: number, session: number]>> = {
  open: [2, 2],
  midday: [2, 2],
  wrap: [2, 2],
  surge: [1, 12],
  plunge: [1, 12],
  limitUp: [1, 8],
  limitDown: [1, 8],
  busy: [1, 6],
  exEvent: [12, 12],
  sectorUp: [2, 2],
  sectorDown: [2, 2],
  listing: [5, 5],
  lastDay: [5, 5],
  maturity: [5, 5],
};

/** One edition of one session (by its Taipei day) of one market, and the moment it reports on. */
export interface Edition {
  universe: string;
  day: number;
  nth: number;
  at: number;
}

/** The drafts that are still news after what was published in the session. */
function selectNew(drafts: readonly Draft[], nth: number, published: readonly { subject: string; kind: NewsKind }[]): Draft[] {
  const subjects = new Set(published.map(({ subject }) => subject));
  const inSession = new Map<NewsKind, number>();
  for (const { kind } of published) inSession.set(kind, (inSession.get(kind) ?? 0) + 1);
  const inEdition = new Map<NewsKind, number>();
  return drafts.filter(({ subject, kind }) => {
    const [edition, session] = MAX_ARTICLES[kind];
    const here = inEdition.get(kind) ?? 0;
    const all = inSession.get(kind) ?? 0;
    if (subjects.has(subject) || here >= (isSummary(nth) ? 2 * edition : edition) || all >= session) return false;
    inEdition.set(kind, here + 1);
    inSession.set(kind, all + 1);
    return true;
  });
}

async function insertEdition(tx: Tx, edition: Edition, drafts: readonly Draft[]): Promise<void> {
  const { universe, day, at } = edition;
  const first = await tx
    .insertInto("news_edition")
    .values(edition)
    .onConflict((on) => on.doNothing())
    .returning("nth")
    .executeTakeFirst();
  if (!first) return;
  const published = await tx
    .selectFrom("news")
    .select(["subject", "kind"])
    .where("universe", "=", universe)
    .where("day", "=", day)
    .execute();
  const articles = selectNew(drafts, edition.nth, published);
  if (articles.length === 0) return;
  await tx
    .insertInto("news")
    .values(
      articles.map(({ subject, kind, codes, category, facts }) => ({
        universe,
        day,
        subject,
        at,
        topic: NEWS_TOPIC_OF[kind],
        kind,
        codes,
        board: category?.board ?? null,
        category: category?.code ?? null,
        facts: JSON.stringify(facts),
      })),
    )
    .onConflict((on) => on.doNothing())
    .execute();
}

/** Publishes an edition, unless it was published before. */
export function publishEdition(db: Database, edition: Edition, drafts: readonly Draft[]): Promise<void> {
  return db.transaction((tx) => insertEdition(tx, edition, drafts));
}

/** The editions of a market published since a day. */
export function publishedSince(db: Database, universe: string, day: number): Promise<{ day: number; nth: number }[]> {
  return db.kysely.selectFrom("news_edition").select(["day", "nth"]).where("universe", "=", universe).where("day", ">=", day).execute();
}

/** Deletes what was published before a moment, for every market. */
export async function discardBefore(db: Database, at: number): Promise<void> {
  await db.kysely.deleteFrom("news").where("at", "<", at).execute();
  await db.kysely.deleteFrom("news_edition").where("at", "<", at).execute();
}
