/** `npm run ops -- <command>`: the operator's one door. Where a server has the embedded database open, it carries the command out. */
import { resolve } from "node:path";
import process from "node:process";
import { BadBackup } from "#server/db/backup.ts";
import { DataDirUnusable, NoDatabase } from "#server/db/data-folder.ts";
import { openDatabase } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { restore } from "./backup.ts";
import { COMMANDS, DONE, REFUSED, runCommand } from "./command.ts";
import { askControl } from "./control.ts";

const USAGE = `npm run ops -- <command>

  backup FILE              write the whole database to a file; the server may run
  restore FILE             read a backup back into an empty place
  check                    derive every balance from the entries, and compare
  rule                     show the rules members trade by
  rule set <part> [board=… kind=… code=… member=…] name=value …
  rule drop <part> board=… kind=… code=… member=…
  margin                   list the applications for margin under review
  margin ACCOUNT approve|reject

DATA_DIR or DATABASE_URL say which database, as they do for the server.`;

const EXPECTED = [BadBackup, DataDirUnusable, NoDatabase, DataDirInUse];
const dataDir = process.env["DATA_DIR"] || "./data";
const databaseUrl = process.env["DATABASE_URL"] || undefined;
const say = (line: string): void => console.log(line);

/** Words for a server that was started elsewhere: its folder is another. */
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
  const carried = databaseUrl === undefined ? await askControl(dataDir, absolute(words), say) : null;
  if (carried !== null) return carried;
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
