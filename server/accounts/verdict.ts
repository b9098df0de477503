/** The operator's decisions on what is under review (`npm run ops -- review decide`): stored by the command, applied by each review. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

export type Verdict = "approved" | "rejected";

/** The decision on one thing of a kind; null for none. */
export async function readVerdict(on: Reader, kind: string, subject: string): Promise<Verdict | null> {
  const [row] = await query<{ verdict: Verdict }>(on, "SELECT verdict FROM review_verdict WHERE kind = $1 AND subject = $2", [
    kind,
    subject,
  ]);
  return row?.verdict ?? null;
}
