/** The classes of instruments the rules are read by: kinds, divided by board only where the rules differ. */
import { BOARDS, KINDS } from "#contract/instrument.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { ruleOf } from "#contract/rule.ts";
import type { Rules, TradeRule } from "#contract/rule.ts";
import type { Code } from "#contract/kernel/id.ts";

export interface RuleClass {
  kind: Kind;
  /** Null where every board trades the kind by the same rule. */
  board: Board | null;
  rule: TradeRule;
  instruments: readonly Instrument[];
}

/** No instrument has this code: what holds for a class is asked without any of its exceptions. */
const NO_CODE = "" as Code;

/** What the venue trades, class by class, in the order of kinds and boards. */
export function ruleClasses(rules: Rules, instruments: readonly Instrument[]): RuleClass[] {
  return KINDS.flatMap((kind): RuleClass[] => {
    const own = instruments.filter((one) => one.kind === kind && one.tradable);
    const boards = BOARDS.filter((board) => own.some((one) => one.board === board)).map((board) => ({
      kind,
      board,
      rule: ruleOf(rules, { kind, board, code: NO_CODE }),
      instruments: own.filter((one) => one.board === board),
    }));
    const [first] = boards;
    if (!first) return [];
    const alike = boards.every(({ rule }) => JSON.stringify(rule) === JSON.stringify(first.rule));
    return alike ? [{ kind, board: null, rule: first.rule, instruments: own }] : boards;
  });
}

/** Instruments of a class that are traded by a rule of their own. */
export function exceptionsOf(rules: Rules, { instruments }: RuleClass): { instrument: Instrument; rule: TradeRule }[] {
  const codes = new Set(rules.exceptions.flatMap(({ code }) => (code === null ? [] : [code])));
  return instruments.filter(({ code }) => codes.has(code)).map((instrument) => ({ instrument, rule: ruleOf(rules, instrument) }));
}
