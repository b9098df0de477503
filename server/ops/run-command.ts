/** The operator's commands on an open database, run by the CLI process or by the server that holds the database. */
import { BadBackup } from "#server/db/backup.ts";
import type { Database } from "#server/db/database.ts";
import { BadRule } from "#server/rules/change.ts";
import { backUp } from "./backup.ts";
import { check } from "./check.ts";
import type { Command, Say } from "./command.ts";
import { memberCommand } from "./create-member.ts";
import { decideMargin } from "./margin.ts";
import { lockOrder } from "./order-lock.ts";
import { changeRules } from "./rule.ts";

/** Exit codes: done and refused; 1 means that a check found inconsistencies. */
export const DONE = 0;
export const REFUSED = 2;

export const COMMANDS: Readonly<Record<string, Command>> = {
  backup: backUp,
  check,
  margin: decideMargin,
  member: memberCommand,
  order: lockOrder,
  rule: changeRules,
};

/** Runs a command by name. Wrong input is reported in one line. */
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
