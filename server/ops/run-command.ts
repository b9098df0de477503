/** Runs an operator's command on an open database, in the CLI process or in the server that holds the database. */
import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { BadBackup } from "#server/db/backup.ts";
import type { Database } from "#server/db/database.ts";
import { BadRule } from "#server/rules/change.ts";
import { recordAct } from "./audit.ts";
import { DONE, NotDone, REFUSED } from "./command.ts";
import type { Args, Command, Context, Say } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** Errors whose message is for the operator. */
const EXPECTED = [NotDone, BadRule, BadBackup];
/** A noun alone lists. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  announcement: ["announcement", "list"],
  audit: ["audit", "show"],
  config: ["config", "list"],
  margin: ["review", "list", "margin"],
  member: ["member", "list"],
  mentor: ["mentor", "list"],
  review: ["review", "list"],
  rule: ["rule", "list"],
};

/** The command that the words name, and the words after its name; null for none. */
export function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } | null {
  const [first = "", second = ""] = words;
  const list = words.length === 1 && Object.hasOwn(LISTS, first) ? LISTS[first] : undefined;
  if (list) return findCommand(list);
  const named = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name);
  const two = named(`${first} ${second}`);
  if (two) return { command: two, rest: words.slice(2) };
  const one = named(first);
  return one ? { command: one, rest: words.slice(1) } : null;
}

/** Parses what follows the name. @throws NotDone */
function readArgs(command: Command, rest: readonly string[]): Args {
  const named = Object.fromEntries((command.options ?? []).map((name) => [name, { type: "string" }] as const));
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { ...named, unmasked: { type: "boolean" } },
      allowPositionals: true,
    });
    const { unmasked, ...options } = values;
    return { words: positionals, options, unmasked: unmasked === true };
  } catch {
    throw new NotDone(`Usage: ${command.name} ${command.usage}`);
  }
}

/** Who is asking: the user of the operating system. */
export const operatingUser = (): string => userInfo().username || String(userInfo().uid);

/** The list of commands. */
export function describeCommands(): string {
  const rows = COMMANDS.map(({ name, usage, what }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${what}`);
  return `npm run ops -- <command>\n\n${rows.join("\n")}

Commands that change something, and --unmasked, which shows personal data, are kept in the audit.
DATA_DIR or DATABASE_URL selects the database, as for the server.`;
}

async function carryOut({ command, rest }: { command: Command; rest: readonly string[] }, db: Database, say: Say, who: string) {
  const args = readArgs(command, rest);
  const at = Date.now();
  let recorded = false;
  const act: Context["act"] = async (work) => {
    const { lines } = await db.transaction(async (tx) => {
      const done = await work(tx);
      await recordAct(tx, who, command.name, at, done);
      return done;
    });
    recorded = true;
    for (const line of lines) say(line);
  };
  const exit = (await command.run({ db, say, at, act }, args)) ?? DONE;
  if (exit === DONE && command.audited(args) && !recorded) throw new Error(`${command.name} left no row in the audit`);
  return exit;
}

/** Runs a command by name, for the operator `who`. Wrong input is reported in one line. @returns the exit code */
export async function runCommand(db: Database, words: readonly string[], say: Say, who: string = operatingUser()): Promise<number> {
  try {
    const found = findCommand(words);
    if (!found) throw new NotDone(`There is no command ${words.join(" ")}.`);
    return await carryOut(found, db, say, who);
  } catch (error) {
    if (!(error instanceof Error) || !EXPECTED.some((kind) => error instanceof kind)) throw error;
    say(error.message);
    return REFUSED;
  }
}
