/** `node server/ops/check.ts`: derive every balance from the entries and say what does not agree; the exit code is 1 if anything. */
import { openDatabase } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { auditBooks } from "#server/ledger/audit.ts";

const db = await openDatabase({ dataDir: process.env["DATA_DIR"] ?? "./data", databaseUrl: process.env["DATABASE_URL"] }).catch(
  (error: unknown) => {
    if (!(error instanceof DataDirInUse)) throw error;
    console.error(error.message);
    process.exit(2);
  },
);
try {
  const { pockets, transactions, entries, differences } = await auditBooks(db.kysely);
  for (const difference of differences) console.error(difference);
  console.log(
    `${pockets} pockets, ${transactions} transactions, ${entries} entries: ` +
      (differences.length === 0 ? "the books agree." : `${differences.length} differences.`),
  );
  if (differences.length > 0) process.exitCode = 1;
} finally {
  await db.close();
}
