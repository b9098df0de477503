/** `npm run ops -- <command>`: the operator's CLI. If a server holds the embedded database, the command is sent to that server. */
import { resolve } from "node:path";
import process from "node:process";
import { BadBackup } from "#server/db/backup.ts";
import { DataDirUnusable, NoDatabase } from "#server/db/data-folder.ts";
import { openDatabase } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { restore } from "./backup.ts";
import { DONE, REFUSED } from "./command.ts";
import { askControl } from "./control.ts";
import { describeCommands, findCommand, operatingUser, runCommand } from "./run-command.ts";

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
  if (words.length === 0 || name === "help") {
    say(describeCommands());
    return DONE;
  }
  if (name === "restore") {
    await restore({ dataDir, databaseUrl }, words.slice(1), say);
    return DONE;
  }
  if (!findCommand(words)) {
    console.error(describeCommands());
    return REFUSED;
  }
  const who = operatingUser();
  const exitCode = databaseUrl === undefined ? await askControl(dataDir, { words: absolute(words), who }, say) : null;
  if (exitCode !== null) return exitCode;
  const db = await openDatabase({ dataDir, databaseUrl, existing: true });
  try {
    return await runCommand(db, words, say, who);
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
