/** `npm run ops -- <command>`: the operator's CLI. If a server holds the embedded database, the command is sent to that server. */
import { resolve } from "node:path";
import process from "node:process";
import { BadBackup } from "#server/db/backup.ts";
import { DataDirUnusable, NoDatabase } from "#server/db/data-folder.ts";
import { openDatabase } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { restore } from "./backup.ts";
import { askControl } from "./control.ts";
import { COMMANDS, DONE, REFUSED, runCommand } from "./run-command.ts";

const USAGE = `npm run ops -- <command>

  backup FILE              write the whole database to a file; the server may run
  restore FILE             restore a backup into an empty database
  check                    recompute every balance from the entries, and compare
  rule                     show the trading rules
  rule set <part> [board=… kind=… code=… bonds=… from=… until=… member=…] name=value …
  rule drop <part> board=… kind=… code=… bonds=… from=… until=… member=…
  margin                   list margin applications under review
  margin ACCOUNT approve|reject
  member create ACCOUNT ID_NUMBER NAME [deposit=AMOUNT]
                           create a member; prints the generated password and guarantee code once
  order ORDER_NO lock|unlock
                           keep everybody from closing a position, or lift that

DATA_DIR or DATABASE_URL selects the database, as for the server.`;

const EXPECTED = [BadBackup, DataDirUnusable, NoDatabase, DataDirInUse];
const dataDir = process.env["DATA_DIR"] || "./data";
const databaseUrl = process.env["DATABASE_URL"] || undefined;
const say = (line: string): void => console.log(line);

/** Makes file arguments absolute, because the server may run in another folder. */
const absolute = ([name = "", ...words]: readonly string[]): string[] => [
  name,
  ...(name === "backup" ? words.map((file) => resolve(file)) : words),
];

async function run(words: readonly string[]): Promise<number> {
  const [name = ""] = words;
  if (name === "restore") {
    await restore({ dataDir, databaseUrl }, words.slice(1), say);
    return DONE;
  }
  if (!COMMANDS[name]) {
    console.error(USAGE);
    return REFUSED;
  }
  const exitCode = databaseUrl === undefined ? await askControl(dataDir, absolute(words), say) : null;
  if (exitCode !== null) return exitCode;
  const db = await openDatabase({ dataDir, databaseUrl, existing: true });
  try {
    return await runCommand(db, words, say);
  } finally {
    await db.close();
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const expected = error instanceof Error && EXPECTED.some((kind) => error instanceof kind);
  console.error(expected ? error.message : error);
  process.exitCode = REFUSED;
}
