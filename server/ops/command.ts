/** The operator's commands, each on an open database: in a process of its own, or in the server that has it. */
import { BadBackup } from "#server/db/backup.ts";
import type { Database } from "#server/db/database.ts";
import { BadRule } from "#server/rules/change.ts";
import { backUp } from "./backup.ts";
import { check } from "./check.ts";
import { decideMargin } from "./margin.ts";
import { changeRules } from "./rule.ts";

export type Say = (line: string) => void;
/** Carries out a command with the words after its name. @returns the exit code */
export type Command = (db: Database, words: readonly string[], say: Say) => Promise<number>;

/** Exit codes: done, and not done; 1 is for a command that found something wrong. */
export const DONE = 0;
export const REFUSED = 2;

export const COMMANDS: Readonly<Record<string, Command>> = {
  backup: backUp,
  check,
  margin: decideMargin,
  rule: changeRules,
};

/** Carry out a command by its name. What was said wrong is said in one line. */
export async function runCommand(db: Database, [name = "", ...words]: readonly string[], say: Say): Promise<number> {
  try {
    const command = COMMANDS[name];
    if (!command) throw new BadRule(`There is no command ${name}.`);
    return await command(db, words, say);
  } catch (error) {
    if (!(error instanceof BadRule) && !(error instanceof BadBackup)) throw error;
    say(error.message);
    return REFUSED;
  }
}
