/** `ops backup FILE` writes the whole database to one file, even of a running server; `ops restore FILE` restores it into an empty database. */
import { resolve } from "node:path";
import { BadBackup, verifyBackup, writeBackup } from "#server/db/backup.ts";
import { withStore } from "#server/db/database.ts";
import type { DatabaseOptions } from "#server/db/database.ts";
import { restoreBackup } from "#server/db/restore.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { Command, Say } from "./command.ts";

function fileOf(words: readonly string[]): string {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new BadBackup("Give exactly one file name.");
  return resolve(file);
}

/** Writes a backup and verifies it. */
export const backUp: Command = async (db, words, say) => {
  const file = fileOf(words);
  const rows = await writeBackup(db, file, Date.now());
  await verifyBackup(file);
  say(`${file} has ${rows} rows.`);
  return 0;
};

/** Restores a backup into the database that the environment names, which must be empty. @throws BadBackup */
export async function restore(place: DatabaseOptions, words: readonly string[], say: Say): Promise<void> {
  const file = fileOf(words);
  await verifyBackup(file);
  const rows = await withStore(place, (store) =>
    restoreBackup(store, file, async (tx) => {
      const { differences } = await auditBooks(tx);
      if (differences.length > 0)
        throw new BadBackup(`The ledger in ${file} does not balance; nothing was restored. ${differences.join(" ")}`);
    }),
  );
  say(`${rows} rows were restored, and the ledger balances.`);
}
