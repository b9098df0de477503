/** The desk of rules: what a member trades by, told as it is kept. */
import type { Handlers } from "#server/desks/desk.ts";
import type { Counter } from "./order/counter.ts";

/** The desk's handlers. */
export function ruleDesk({ counter }: { counter: Counter }): Pick<Handlers, "readRules"> {
  return { readRules: async ({ caller: { memberId } }) => counter.rules.of(memberId) };
}
