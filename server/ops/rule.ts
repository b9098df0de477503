/**
 * `ops rule list` shows the trading rules. `ops rule set <part> [board=… kind=… code=… bonds=… from=… until=… member=…] name=value …` changes
 * or adds one; `rule drop` with the same selectors removes an exception. A running server applies changes within seconds.
 */
import { describeRules, dropRule, readChange, setRule } from "#server/rules/change.ts";
import type { RuleChange } from "#server/rules/change.ts";
import type { Reader } from "#server/db/database.ts";
import { always, never } from "./command.ts";
import type { Command, Context } from "./command.ts";

/** Changes a rule and prints all of them. */
async function edit({ act }: Context, words: readonly string[], change: (on: Reader, change: RuleChange) => Promise<object | null>) {
  await act(async (tx) => {
    const wanted = await readChange(tx, words);
    const { body, part, ...selectors } = wanted;
    const before = await change(tx, wanted);
    const chosen = Object.fromEntries(Object.entries(selectors).filter(([, value]) => value !== null));
    const after = change === setRule ? { ...chosen, ...before, ...body } : null;
    return { subject: `rule ${part}`, before: before && { ...chosen, ...before }, after, lines: [await describeRules(tx)] };
  });
}

const SELECTORS = "<part> [board=… kind=… code=… bonds=… from=… until=… member=…]";

export const ruleCommands: readonly Command[] = [
  {
    name: "rule list",
    usage: "",
    what: "show the rules",
    audited: never,
    async run({ db, say }) {
      say(await describeRules(db.kysely));
    },
  },
  {
    name: "rule set",
    usage: `${SELECTORS} name=value …`,
    what: "change a rule or add an exception",
    audited: always,
    run: (context, { words }) => edit(context, words, setRule),
  },
  {
    name: "rule drop",
    usage: SELECTORS,
    what: "remove an exception",
    audited: always,
    run: (context, { words }) => edit(context, words, dropRule),
  },
];
