/** Rules the operator changed: read again now and then, so that orders are decided by them without a restart. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { RuleSet } from "./rules.ts";

export interface RuleReloadDeps {
  db: Database;
  sequencer: { readonly rules: RuleSet };
  /** Told of faults; the rules stay as they were. */
  report?: ((error: unknown) => void) | undefined;
}

/** Rules change a few times a year; whoever changes one waits no longer than this. */
const READ_EVERY_MS = 10 * SECOND_MS;

/** Read the rules every few seconds. @returns how to stop */
export function startRuleReload({ db, sequencer, report }: RuleReloadDeps): () => void {
  return every(READ_EVERY_MS, () => sequencer.rules.reload(db.kysely), report);
}
