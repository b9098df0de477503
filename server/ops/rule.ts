/**
 * `ops rule`: shows the trading rules. `ops rule set <part> [board=… kind=… code=… bonds=… from=… until=… member=…] name=value …` changes
 * or adds one; `drop` with the same selectors removes an exception. A running server applies changes within seconds.
 */
import { BadRule, describeRules, dropRule, readChange, setRule } from "#server/rules/change.ts";
import type { Command } from "./command.ts";

export const changeRules: Command = async (db, [command = "show", ...words], say) => {
  if (command !== "show") {
    if (command !== "set" && command !== "drop") throw new BadRule(`Use show, set or drop, not ${command}.`);
    const change = await readChange(db.kysely, words);
    await (command === "set" ? setRule(db, change) : dropRule(db, change));
  }
  say(await describeRules(db.kysely));
  return 0;
};
