/** The rule set: reads the trading rules from the database and combines them per member. */
import type { AuctionRule } from "#contract/auction.ts";
import type { BlockRule } from "#contract/block-market.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";
import type { Board, Kind } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { DAY_MS, taipeiDay } from "#contract/kernel/time.ts";
import type { FundingRule } from "#contract/funding.ts";
import { ruleOf } from "#contract/rule.ts";
import type { ConversionRule } from "#contract/conversion.ts";
import type { CreditRule } from "#contract/credit.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import type { CopyRule } from "#contract/copy-rule.ts";
import { futuresRuleOf } from "#contract/futures-rule.ts";
import type { DatedFuturesRule, FuturesRule } from "#contract/futures-rule.ts";
import { optionRuleOf } from "#contract/option-rule.ts";
import type { DatedOptionRule, OptionRule } from "#contract/option-rule.ts";
import type { FuturesProduct } from "#contract/futures-price.ts";
import type { StrategyRule } from "#contract/strategy-rule.ts";
import type { LendingRule } from "#contract/lending-rule.ts";
import type { RewardRule } from "#contract/reward.ts";
import type { SavingsRule } from "#contract/savings-rule.ts";
import type { ShortCoverRule } from "#contract/short-cover.ts";
import type { AccountRule, DayTradeRule, MarginRule, RuleException, Ruled, Rules, TradeRule } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

interface Row {
  part:
    | "trade"
    | "margin"
    | "dayTrade"
    | "shortCover"
    | "account"
    | "conversion"
    | "funding"
    | "credit"
    | "reward"
    | "block"
    | "raise"
    | "savings"
    | "lending"
    | "copy"
    | "strategy"
    | "futures"
    | "options"
    | "offering"
    | "auction";
  board: Board | null;
  kind: Kind | null;
  code: Code | null;
  bonds: boolean | null;
  valid_from: string | null;
  valid_until: string | null;
  member_id: number | null;
  body: object;
}

const DEFAULT_PER_SECOND = 20;

/** Tells whether a row applies to all members and instruments, possibly for a limited time. */
const isGeneral = ({ board, kind, code, bonds, member_id }: Row): boolean =>
  [board, kind, code, bonds, member_id].every((word) => word === null);
const isBase = (row: Row): boolean => isGeneral(row) && row.valid_from === null && row.valid_until === null;

/** Precedence of an exception: general < class of instruments < one instrument < one member; later ones override. */
const weightOf = (row: Row): number => (row.member_id !== null ? 4 : 0) + (isGeneral(row) ? 0 : 1) + (row.code !== null ? 1 : 0);

/** Of futures and options: general < one product < days < one member, so that what is said of days holds for every product. */
const futuresWeightOf = ({ member_id, valid_from, valid_until, code }: Row): number =>
  (member_id !== null ? 4 : 0) + ((valid_from ?? valid_until) !== null ? 2 : 0) + (code !== null ? 1 : 0);

/** A database date as a day number of `taipeiDay`. */
const dayOf = (date: string | null): number | null => (date === null ? null : Date.parse(date) / DAY_MS);

export class RuleSet {
  #rows: readonly Row[];
  #perSecond: number;
  #version = 0;
  /** Whether the rate limit was passed in; it then overrides the setting, also after a reload. */
  readonly #overridden: boolean;
  readonly #ofMember = new Map<number, Rules>();

  constructor(rows: readonly Row[], perSecond: number, overridden: boolean) {
    this.#rows = rows;
    this.#perSecond = perSecond;
    this.#overridden = overridden;
  }

  /** All rules of a member. */
  of(memberId: number): Rules {
    let rules = this.#ofMember.get(memberId);
    if (!rules) this.#ofMember.set(memberId, (rules = this.#collect(memberId)));
    return rules;
  }

  /** A member's trading rule for one instrument, on the Taipei day of `at` (epoch milliseconds). */
  for(memberId: number, instrument: Ruled, at: number): TradeRule {
    return ruleOf(this.of(memberId), instrument, taipeiDay(at));
  }

  /** Increments with every change. */
  get version(): number {
    return this.#version;
  }

  /** Rate limit: commands per member and second. */
  get commandsPerSecond(): number {
    return this.#perSecond;
  }

  /** Reads the rules again. */
  async reload(on: Reader): Promise<void> {
    const { rows, perSecond } = await readRows(on);
    if (JSON.stringify(rows) !== JSON.stringify(this.#rows)) this.#version += 1;
    this.#rows = rows;
    if (!this.#overridden) this.#perSecond = perSecond;
    this.#ofMember.clear();
  }

  #collect(memberId: number): Rules {
    const rows = this.#rows.filter(({ member_id }) => member_id === null || member_id === memberId);
    const whole = (part: Row["part"]): object => {
      const parts = rows.filter((row) => row.part === part);
      if (parts.length === 0) throw new Error(`there is no rule for ${part}`);
      return Object.assign({}, ...parts.map(({ body }) => body)) as object;
    };
    const base = rows.find((row) => row.part === "trade" && isBase(row));
    if (!base) throw new Error("there is no rule for trade");
    const exceptions = rows
      .filter((row) => row.part === "trade" && row !== base)
      .toSorted((a, b) => weightOf(a) - weightOf(b))
      .map(({ board, kind, code, bonds, valid_from, valid_until, body }): RuleException => {
        return { board, kind, code, bonds, from: dayOf(valid_from), until: dayOf(valid_until), rule: body };
      });
    return {
      trade: base.body as TradeRule,
      exceptions,
      margin: whole("margin") as MarginRule,
      dayTrade: whole("dayTrade") as DayTradeRule,
      shortCover: whole("shortCover") as ShortCoverRule,
      conversion: whole("conversion") as ConversionRule,
      account: whole("account") as AccountRule,
      credit: whole("credit") as CreditRule,
      funding: whole("funding") as FundingRule,
      block: whole("block") as BlockRule,
      raise: whole("raise") as RaiseRule,
      savings: whole("savings") as SavingsRule,
      lending: whole("lending") as LendingRule,
      copy: whole("copy") as CopyRule,
      strategy: whole("strategy") as StrategyRule,
      futures: rows
        .filter(({ part }) => part === "futures")
        .toSorted((a, b) => futuresWeightOf(a) - futuresWeightOf(b))
        .map(({ code, valid_from: from, valid_until: until, body }): DatedFuturesRule => {
          return { product: code as FuturesProduct | null, from: dayOf(from), until: dayOf(until), rule: body };
        }),
      options: rows
        .filter(({ part }) => part === "options")
        .toSorted((a, b) => futuresWeightOf(a) - futuresWeightOf(b))
        .map(({ valid_from: from, valid_until: until, body }): DatedOptionRule => ({ from: dayOf(from), until: dayOf(until), rule: body })),
      reward: whole("reward") as RewardRule,
      offering: whole("offering") as OfferingRule,
      auction: whole("auction") as AuctionRule,
      commandsPerSecond: this.#perSecond,
    };
  }
}

/** By what is ruled of a member: the rule of the day that was asked for last. To put one together, each of its numbers is checked. */
const futuresRules = new WeakMap<readonly DatedFuturesRule[], Map<FuturesProduct, { day: number; rule: FuturesRule }>>();
const optionRules = new WeakMap<readonly DatedOptionRule[], { day: number; rule: OptionRule }>();

/** A member's rule of a product, on the Taipei day of `at` (epoch milliseconds). */
export function futuresRuleAt(rules: Pick<RuleSet, "of">, memberId: number, product: FuturesProduct, at: number): FuturesRule {
  const { futures } = rules.of(memberId);
  const day = taipeiDay(at);
  let known = futuresRules.get(futures);
  if (!known) futuresRules.set(futures, (known = new Map()));
  let found = known.get(product);
  if (found?.day !== day) known.set(product, (found = { day, rule: futuresRuleOf(futures, product, day) }));
  return found.rule;
}

/** A member's rule of options, on the Taipei day of `at` (epoch milliseconds). */
export function optionRuleAt(rules: Pick<RuleSet, "of">, memberId: number, at: number): OptionRule {
  const { options } = rules.of(memberId);
  const day = taipeiDay(at);
  let found = optionRules.get(options);
  if (found?.day !== day) optionRules.set(options, (found = { day, rule: optionRuleOf(options, day) }));
  return found.rule;
}

async function readRows(on: Reader): Promise<{ rows: Row[]; perSecond: number }> {
  const rows = await query<Row>(
    on,
    "SELECT part, board, kind, code, bonds, valid_from::text, valid_until::text, member_id, body FROM rule ORDER BY id",
  );
  const [setting] = await query<{ value: string }>(on, "SELECT value FROM setting WHERE name = 'commandsPerSecond'");
  return { rows, perSecond: Number(setting?.value) || DEFAULT_PER_SECOND };
}

/** Loads the rule set. `perSecond` overrides the setting. */
export async function openRules(on: Reader, perSecond?: number): Promise<RuleSet> {
  const read = await readRows(on);
  return new RuleSet(read.rows, perSecond ?? read.perSecond, perSecond !== undefined);
}
