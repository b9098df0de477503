/** The classes of instruments the rules are read by: kinds, divided by board and by what funds hold only where the rules differ. */
import { BOARDS, KINDS } from "#contract/instrument.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { nextRuleDay, ruleOf } from "#contract/rule.ts";
import type { Rules, TradeRule } from "#contract/rule.ts";
import type { Code } from "#contract/kernel/id.ts";

export interface RuleClass {
  kind: Kind;
  /** Null where every board trades the kind by the same rule. */
  board: Board | null;
  /** Funds of bonds, where they are traded by another rule than the rest of their kind. */
  bonds: boolean;
  /** The rule of the day. */
  rule: TradeRule;
  /** The rule that comes after it, and the day it begins; null where no change is known. */
  next: { day: number; rule: TradeRule } | null;
  instruments: readonly Instrument[];
}

/** No instrument has this code: what holds for a class is asked without any of its exceptions. */
const NO_CODE = "" as Code;

/** What the venue trades, class by class, in the order of kinds and boards, on a day as `taipeiDay` counts. */
export function ruleClasses(rules: Rules, instruments: readonly Instrument[], day: number): RuleClass[] {
  const classOf = (kind: Kind, board: Board, bonds: boolean, own: readonly Instrument[]): RuleClass => {
    const any = { kind, board, bonds, code: NO_CODE };
    const next = nextRuleDay(rules, any, day);
    const after = next === null ? null : { day: next, rule: ruleOf(rules, any, next) };
    return { kind, board, bonds, rule: ruleOf(rules, any, day), next: after, instruments: own };
  };
  const saidOf = ({ rule, next }: RuleClass): string => JSON.stringify([rule, next]);
  /** One class of several where all are traded alike. */
  const joined = (classes: RuleClass[], as: Partial<RuleClass>): RuleClass[] => {
    const [first] = classes;
    if (!first || classes.some((one) => saidOf(one) !== saidOf(first))) return classes;
    return [{ ...first, ...as, instruments: classes.flatMap((one) => one.instruments) }];
  };
  return KINDS.flatMap((kind): RuleClass[] => {
    const own = instruments.filter((one) => one.kind === kind && one.tradable);
    const kinds = [false, true].flatMap((bonds) => {
      const some = own.filter((one) => one.bonds === bonds);
      const boards = BOARDS.flatMap((board) => {
        const here = some.filter((one) => one.board === board);
        return here.length > 0 ? [classOf(kind, board, bonds, here)] : [];
      });
      return joined(boards, { board: null });
    });
    return joined(kinds, { board: null, bonds: false });
  });
}

/** Instruments of a class that are traded by a rule of their own. */
export function exceptionsOf(rules: Rules, { instruments }: RuleClass, day: number): { instrument: Instrument; rule: TradeRule }[] {
  const codes = new Set(rules.exceptions.flatMap(({ code }) => (code === null ? [] : [code])));
  return instruments.filter(({ code }) => codes.has(code)).map((instrument) => ({ instrument, rule: ruleOf(rules, instrument, day) }));
}
