/** `ops backup FILE` writes the whole database to one file, even of a running server; `ops restore FILE` restores it into an empty database. */
import { resolve } from "node:path";
import { BadBackup, verifyBackup, writeBackup } from "#server/db/backup.ts";
import { withStore } from "#server/db/database.ts";
import type { Database, DatabaseOptions } from "#server/db/database.ts";
import { restoreBackup } from "#server/db/restore.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { always, NotDone } from "./command.ts";
import type { Command, Say } from "./command.ts";

function fileOf(words: readonly string[]): string {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new BadBackup("Give exactly one file name.");
  return resolve(file);
}

/** Writes a backup and verifies it. */
export async function backUp(db: Database, words: readonly string[], say: Say): Promise<void> {
  const file = fileOf(words);
  const rows = await writeBackup(db, file, Date.now());
  await verifyBackup(file);
  say(`${file} has ${rows} rows.`);
}

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

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    usage: "FILE",
    what: "write the whole database to a file; the server may run",
    // It holds everybody's personal data.
    audited: always,
    async run({ db, act, say }, { words }) {
      const file = fileOf(words);
      // First, so that the file has the row as well.
      await act(async () => ({ subject: file, before: null, after: null, lines: [] }));
      await backUp(db, words, say);
    },
  },
  {
    name: "restore",
    usage: "FILE",
    what: "restore a backup into an empty database; the audit in it stays as it was",
    audited: always,
    async run() {
      throw new NotDone("A backup is restored into an empty database, which no server uses.");
    },
  },
];
