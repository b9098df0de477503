/** `ops check`: recomputes every balance from the entries and prints each difference; exit code 1 if there is any. */
import { auditBooks } from "#server/ledger/audit.ts";
import { DONE, INCONSISTENT, never } from "./command.ts";
import type { Command } from "./command.ts";

export const checkCommands: readonly Command[] = [
  {
    name: "check",
    usage: "",
    what: "recompute every balance from the entries, and compare",
    audited: never,
    async run({ db, say }) {
      const { pockets, transactions, entries, differences } = await auditBooks(db.kysely);
      for (const difference of differences) say(difference);
      const verdict = differences.length === 0 ? "the ledger balances." : `${differences.length} differences.`;
      say(`${pockets} pockets, ${transactions} transactions, ${entries} entries: ${verdict}`);
      return differences.length > 0 ? INCONSISTENT : DONE;
    },
  },
];
