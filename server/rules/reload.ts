/** Reloads the rules periodically, so that changes by the operator apply without a restart. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { RuleSet } from "./rules.ts";

export interface RuleReloadDeps {
  db: Database;
  sequencer: { readonly rules: RuleSet };
  /** Receives errors; the rules stay unchanged. */
  report?: ((error: unknown) => void) | undefined;
}

/** Rules change a few times a year; a change applies within this time. */
const READ_EVERY_MS = 10 * SECOND_MS;

/** Starts reloading. @returns a function that stops it */
export function startRuleReload({ db, sequencer, report }: RuleReloadDeps): () => void {
  return every(READ_EVERY_MS, () => sequencer.rules.reload(db.kysely), report);
}
