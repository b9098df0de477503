/** What a supervisor or load balancer asks: whether the process lives, and whether it can serve now. */
import type { Hono, Env } from "hono";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What has to work for a call to be served. */
export interface Readiness {
  /** The database answers, and is this server's to write. */
  database: boolean;
  /** Prices arrive. */
  prices: boolean;
}

/** Whoever asks has a time limit of their own, seldom longer. */
const DATABASE_MS = 2 * SECOND_MS;

async function answers({ kysely, writable }: Pick<Database, "kysely" | "writable">): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), DATABASE_MS);
  const asked = query(kysely, "SELECT 1").then(
    () => writable(),
    () => false,
  );
  const answered = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return answered;
}

/** Ask the parts of a server whether they work. Whoever asks meanwhile gets the same answer: anybody may ask, and orders wait behind queries. */
export function readinessOf(db: Pick<Database, "kysely" | "writable">, venue: Pick<Venue, "fresh">): () => Promise<Readiness> {
  let asked: Promise<boolean> | null = null;
  return async () => {
    asked ??= answers(db).finally(() => (asked = null));
    return { database: await asked, prices: venue.fresh(Date.now()) };
  };
}

/** `/healthz` is answered by a process that lives; `/readyz` says 503 while something is missing, and what. */
export function mountHealth<E extends Env>(app: Hono<E>, readiness: () => Promise<Readiness>): void {
  const headers = { "cache-control": "no-store" };
  app.get("/healthz", (c) => c.json({ status: "ok" }, 200, headers));
  app.get("/readyz", async (c) => {
    const parts = await readiness();
    return c.json(parts, Object.values(parts).every(Boolean) ? 200 : 503, headers);
  });
}
