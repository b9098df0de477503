/** `ops check`: derive every balance from the entries and say what does not agree; the exit code is 1 if anything. */
import { auditBooks } from "#server/ledger/audit.ts";
import type { Command } from "./command.ts";

/** Check the books. Changes nothing. */
export const check: Command = async (db, _words, say) => {
  const { pockets, transactions, entries, differences } = await auditBooks(db.kysely);
  for (const difference of differences) say(difference);
  const verdict = differences.length === 0 ? "the books agree." : `${differences.length} differences.`;
  say(`${pockets} pockets, ${transactions} transactions, ${entries} entries: ${verdict}`);
  return differences.length > 0 ? 1 : 0;
};
