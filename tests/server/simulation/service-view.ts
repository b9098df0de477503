/** Runs, copies, futures and options of a member as their facts tell them, and checks of every such fact. */
import { isCopyFact, isFuturesFact, isOptionFact, isStrategyFact } from "#contract/fact-kind.ts";
import type { Copy } from "#contract/copy.ts";
import type { CopyFact, Fact, FuturesFact, OptionFact, StrategyFact } from "#contract/fact.ts";
import type { FuturesPosition } from "#contract/futures.ts";
import type { OptionPosition } from "#contract/option.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { StrategyRun } from "#contract/strategy.ts";
import { advance } from "#machines/advance.ts";
import { copyMachine } from "#machines/copy.ts";
import { futuresPositionMachine } from "#machines/futures-position.ts";
import { optionPositionMachine } from "#machines/option-position.ts";
import { strategyMachine } from "#machines/strategy.ts";

/** What both have. */
type Item = Pick<Copy | StrategyRun, "version" | "amountCents" | "stopPercent" | "startedAt" | "endedAt" | "kept" | "leftOut"> & {
  status: string;
  reason: string | null;
};

/** What must hold between two states of one of them, and never changes. */
function followed(before: Item, item: Item, next: string | null): string[] {
  const wrong: string[] = [];
  if (item.version !== before.version + 1) wrong.push(`version ${item.version} follows ${before.version}`);
  if (next !== item.status) wrong.push(`${before.status} became ${item.status}`);
  for (const field of ["amountCents", "stopPercent", "startedAt"] as const)
    if (item[field] !== before[field]) wrong.push(`${field} ${before[field]} became ${item[field]}`);
  if (before.reason !== null && (before.reason !== item.reason || before.kept !== item.kept))
    wrong.push(`its reason ${before.reason} became ${item.reason}`);
  if ((item.status === "stopped") !== (item.endedAt !== null)) wrong.push(`ended at ${item.endedAt} while ${item.status}`);
  if (item.leftOut < before.leftOut) wrong.push("something left out came back");
  return wrong;
}

export class ServiceView {
  readonly runs = new Map<string, StrategyRun>();
  readonly copies = new Map<string, Copy>();
  readonly futures = new Map<string, FuturesPosition>();
  readonly options = new Map<string, OptionPosition>();
  /** The last day decided of each run; none after it was resumed. */
  readonly #decided = new Map<string, number>();

  /** Applies a fact. @returns one sentence per inconsistency */
  take(fact: Fact): string[] {
    if (isStrategyFact(fact)) return this.#takeRun(fact).map((what) => `${fact.type} ${fact.n} of ${fact.run.runNo}: ${what}`);
    if (isCopyFact(fact)) return this.#takeCopy(fact).map((what) => `${fact.type} ${fact.n} of ${fact.copy.copyNo}: ${what}`);
    if (isFuturesFact(fact)) return this.#takeFutures(fact).map((what) => `${fact.type} ${fact.n} of ${fact.position.positionNo}: ${what}`);
    if (isOptionFact(fact)) return this.#takeOption(fact).map((what) => `${fact.type} ${fact.n} of ${fact.position.positionNo}: ${what}`);
    return [];
  }

  #takeFutures({ type, position }: FuturesFact): string[] {
    const before = this.futures.get(position.positionNo);
    this.futures.set(position.positionNo, position);
    const wrong = (position.lots === 0) === (position.endedAt !== null) ? [] : [`${position.lots} lots, ended at ${position.endedAt}`];
    if (!before)
      return type === "futures.opened" && position.version === 1 && position.status === "open"
        ? wrong
        : [...wrong, `it begins ${position.status}`];
    if (position.version !== before.version + 1) wrong.push(`version ${position.version} follows ${before.version}`);
    if (advance(futuresPositionMachine, before.status, type) !== position.status) wrong.push(`${before.status} became ${position.status}`);
    if (before.code !== position.code || before.lots * position.lots < 0) wrong.push("it became another position");
    const deals = type !== "futures.marked" && type !== "futures.called" && type !== "futures.restored";
    if (!deals && (before.lots !== position.lots || before.feeCents !== position.feeCents)) wrong.push("it traded without a trade");
    return wrong;
  }

  #takeOption({ type, position }: OptionFact): string[] {
    const before = this.options.get(position.positionNo);
    this.options.set(position.positionNo, position);
    const wrong = (position.lots === 0) === (position.endedAt !== null) ? [] : [`${position.lots} lots, ended at ${position.endedAt}`];
    if (!before)
      return type === "option.opened" && position.version === 1 && position.status === "open"
        ? wrong
        : [...wrong, `it begins ${position.status}`];
    if (position.version !== before.version + 1) wrong.push(`version ${position.version} follows ${before.version}`);
    if (advance(optionPositionMachine, before.status, type) !== position.status) wrong.push(`${before.status} became ${position.status}`);
    if (before.code !== position.code || before.lots * position.lots < 0) wrong.push("it became another position");
    const deals = type !== "option.marked" && type !== "option.called" && type !== "option.restored";
    if (!deals && (before.lots !== position.lots || before.paidCents !== position.paidCents)) wrong.push("it traded without a trade");
    return wrong;
  }

  #takeRun({ type, run }: StrategyFact): string[] {
    const { runNo, decidedAt } = run;
    const before = this.runs.get(runNo);
    this.runs.set(runNo, run);
    if (!before) return type === "strategy.started" && run.version === 1 && run.status === "running" ? [] : [`it begins ${run.status}`];
    const wrong = followed(before, run, advance(strategyMachine, before.status, type));
    if (before.strategy !== run.strategy || before.code !== run.code) wrong.push("it became another strategy");
    // Only a decision of the rule buys.
    if (type !== "strategy.decided" && (run.bought !== before.bought || run.leftOut !== before.leftOut)) wrong.push("it bought undecided");
    if (run.sold < before.sold) wrong.push("a sale came back");
    if (type === "strategy.resumed") this.#decided.delete(runNo);
    if (type !== "strategy.decided" || decidedAt === null) return wrong;
    const day = taipeiDay(decidedAt);
    if (this.#decided.get(runNo) === day) wrong.push(`day ${day} was decided twice`);
    this.#decided.set(runNo, day);
    return wrong;
  }

  #takeCopy({ type, copy }: CopyFact): string[] {
    const before = this.copies.get(copy.copyNo);
    this.copies.set(copy.copyNo, copy);
    if (!before) return type === "copy.started" && copy.version === 1 && copy.status === "following" ? [] : [`it begins ${copy.status}`];
    const wrong = followed(before, copy, advance(copyMachine, before.status, type));
    if (before.mentorNo !== copy.mentorNo) wrong.push("it became another mentor's");
    const hasBought = copy.copied !== before.copied || copy.leftOut !== before.leftOut;
    if (copy.copied < before.copied) wrong.push("a purchase came back");
    if (hasBought && (type !== "copy.copied" || before.status !== "following")) wrong.push(`it bought while ${before.status}`);
    return wrong;
  }
}
