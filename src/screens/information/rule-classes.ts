/** Groups instruments into classes with equal trading rules: by kind, split by board and bond funds only where the rules differ. */
import { BOARDS, KINDS } from "#contract/instrument.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { nextRuleDay, ruleOf } from "#contract/rule.ts";
import type { Rules, TradeRule } from "#contract/rule.ts";
import type { Code } from "#contract/kernel/id.ts";

export interface RuleClass {
  kind: Kind;
  /** Null where every board has the same rule for the kind. */
  board: Board | null;
  /** Bond funds, where their rule differs from the rest of their kind. */
  bonds: boolean;
  /** The rule on the given day. */
  rule: TradeRule;
  /** The rule that follows, and the day it takes effect; null where no change is known. */
  next: { day: number; rule: TradeRule } | null;
  instruments: readonly Instrument[];
}

/** No instrument has this code, so that a class's rule is looked up without per-instrument exceptions. */
const NO_CODE = "" as Code;

/** The classes the venue trades, ordered by kind and board, on a day as counted by `taipeiDay`. */
export function ruleClasses(rules: Rules, instruments: readonly Instrument[], day: number): RuleClass[] {
  const classOf = (kind: Kind, board: Board, bonds: boolean, own: readonly Instrument[]): RuleClass => {
    const any = { kind, board, bonds, code: NO_CODE };
    const next = nextRuleDay(rules, any, day);
    const after = next === null ? null : { day: next, rule: ruleOf(rules, any, next) };
    return { kind, board, bonds, rule: ruleOf(rules, any, day), next: after, instruments: own };
  };
  const ruleTextOf = ({ rule, next }: RuleClass): string => JSON.stringify([rule, next]);
  /** Merge several classes into one when all have the same rule. */
  const merged = (classes: RuleClass[], as: Partial<RuleClass>): RuleClass[] => {
    const [first] = classes;
    if (!first || classes.some((one) => ruleTextOf(one) !== ruleTextOf(first))) return classes;
    return [{ ...first, ...as, instruments: classes.flatMap((one) => one.instruments) }];
  };
  return KINDS.flatMap((kind): RuleClass[] => {
    const own = instruments.filter((one) => one.kind === kind && one.tradable);
    const classes = [false, true].flatMap((bonds) => {
      const some = own.filter((one) => one.bonds === bonds);
      const boards = BOARDS.flatMap((board) => {
        const here = some.filter((one) => one.board === board);
        return here.length > 0 ? [classOf(kind, board, bonds, here)] : [];
      });
      return merged(boards, { board: null });
    });
    return merged(classes, { board: null, bonds: false });
  });
}

/** The instruments of a class that have a rule of their own. */
export function exceptionsOf(rules: Rules, { instruments }: RuleClass, day: number): { instrument: Instrument; rule: TradeRule }[] {
  const codes = new Set(rules.exceptions.flatMap(({ code }) => (code === null ? [] : [code])));
  return instruments.filter(({ code }) => codes.has(code)).map((instrument) => ({ instrument, rule: ruleOf(rules, instrument, day) }));
}
