/** Liveness and readiness endpoints for supervisors and load balancers. */
import type { Hono, Env } from "hono";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { JobHealth } from "#server/kernel/job-health.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What must work before calls can be served. */
export interface Readiness {
  /** The database answers and this server holds its lock. */
  database: boolean;
  /** Prices are fresh. */
  prices: boolean;
}

/** A new issue needs a row, and rows are allocated at the start: below this many sessions the server should be restarted. */
export const FEW_SESSIONS = 50;

/** What the body of `/readyz` tells besides: false does not make a server unready. */
export interface Notice {
  /** The table has rows for the new issues of the next sessions. */
  issueRows: boolean;
  /** No background job has failed lately; the log names the one that has. */
  jobs: boolean;
  /** This server follows the leader. */
  following?: boolean;
}

/** Health checkers have their own time limits, usually at least this long. */
const DATABASE_TIMEOUT_MS = 2 * SECOND_MS;

async function answers({ kysely, writable }: Pick<Database, "kysely" | "writable">): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), DATABASE_TIMEOUT_MS);
  const asked = query(kysely, "SELECT 1").then(
    () => writable(),
    () => false,
  );
  const answered = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return answered;
}

/** Builds the readiness check of a server. Concurrent callers share one check, because anybody may call it and its query delays orders. */
export function readinessOf(
  db: Pick<Database, "kysely" | "writable">,
  venue: Pick<Venue, "fresh" | "issueSessionsLeft">,
  jobs: Pick<JobHealth, "isGood">,
): () => Promise<Readiness & Notice> {
  let asked: Promise<boolean> | null = null;
  return async () => {
    asked ??= answers(db).finally(() => (asked = null));
    const at = Date.now();
    const issueRows = (venue.issueSessionsLeft(at) ?? Infinity) >= FEW_SESSIONS;
    return { database: await asked, prices: venue.fresh(at), issueRows, jobs: jobs.isGood() };
  };
}

/** Mounts `/healthz` (200 while the process runs) and `/readyz` (503 while a part is missing; the body names it). */
export function mountHealth<E extends Env>(app: Hono<E>, readiness: () => Promise<Readiness & Partial<Notice>>): void {
  const headers = { "cache-control": "no-store" };
  app.get("/healthz", (c) => c.json({ status: "ok" }, 200, headers));
  app.get("/readyz", async (c) => {
    const parts = await readiness();
    return c.json(parts, parts.database && parts.prices ? 200 : 503, headers);
  });
}
