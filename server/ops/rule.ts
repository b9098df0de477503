/**
 * `ops rule`: show the rules members trade by. `ops rule set <part> [board=… kind=… code=… member=…] name=value …` changes or makes one;
 * `drop` with the same words removes an exception. A running server takes it up within seconds.
 */
import { BadRule, describeRules, dropRule, readChange, setRule } from "#server/rules/change.ts";
import type { Command } from "./command.ts";

/** Show or change the rules. */
export const changeRules: Command = async (db, [command = "show", ...words], say) => {
  if (command !== "show") {
    if (command !== "set" && command !== "drop") throw new BadRule(`Say show, set or drop, not ${command}.`);
    const change = await readChange(db.kysely, words);
    await (command === "set" ? setRule(db, change) : dropRule(db, change));
  }
  say(await describeRules(db.kysely));
  return 0;
};
