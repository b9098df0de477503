/** Rule changes by the operator: parsed from the command line, validated by the contract's schema, written in one transaction. */
import * as z from "zod/mini";
import { Board, Kind } from "#contract/instrument.ts";
import { Code } from "#contract/kernel/id.ts";
import { ConversionRule } from "#contract/conversion.ts";
import { CreditRule } from "#contract/credit.ts";
import { FundingRule } from "#contract/funding.ts";
import { CopyRule } from "#contract/copy-rule.ts";
import { FUTURES_PRODUCTS } from "#contract/futures-price.ts";
import { FuturesRule, futuresRuleFault, futuresRuleOf } from "#contract/futures-rule.ts";
import { OptionRule, optionRuleFault, optionRuleOf } from "#contract/option-rule.ts";
import { StrategyRule } from "#contract/strategy-rule.ts";
import { LendingRule } from "#contract/lending-rule.ts";
import { OfferingRule } from "#contract/offering-kind.ts";
import { AuctionRule } from "#contract/auction.ts";
import { AccountRule, DayTradeRule, MarginRule, TradeRule } from "#contract/rule.ts";
import { ShortCoverRule } from "#contract/short-cover.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { openRules } from "./rules.ts";

const SCHEMAS = {
  trade: TradeRule,
  margin: MarginRule,
  dayTrade: DayTradeRule,
  shortCover: ShortCoverRule,
  conversion: ConversionRule,
  account: AccountRule,
  credit: CreditRule,
  funding: FundingRule,
  offering: OfferingRule,
  auction: AuctionRule,
  lending: LendingRule,
  copy: CopyRule,
  strategy: StrategyRule,
  futures: FuturesRule,
  options: OptionRule,
} as const;
const isPart = (word: string | undefined): word is keyof typeof SCHEMAS => word !== undefined && Object.hasOwn(SCHEMAS, word);

/** The rule's selectors and the fields to change. */
export interface RuleChange {
  part: keyof typeof SCHEMAS;
  board: Board | null;
  kind: Kind | null;
  code: Code | null;
  /** Only bond funds (true), or everything except them (false). */
  bonds: boolean | null;
  /** First and last day of validity, as `2027-01-31`. */
  from: string | null;
  until: string | null;
  memberId: number | null;
  body: Record<string, unknown>;
}

/** Thrown for invalid rule changes; the message is for the operator. */
export class BadRule extends Error {}

const RuleDay = z.iso.date();
const SAME_KEY = `part = $1 AND board IS NOT DISTINCT FROM $2 AND kind IS NOT DISTINCT FROM $3 AND code IS NOT DISTINCT FROM $4
  AND member_id IS NOT DISTINCT FROM $5 AND bonds IS NOT DISTINCT FROM $6 AND valid_from IS NOT DISTINCT FROM $7::date
  AND valid_until IS NOT DISTINCT FROM $8::date`;

/** Parameters of `SAME_KEY`. */
const keyOf = ({ part, board, kind, code, memberId, bonds, from, until }: RuleChange): unknown[] => [
  part,
  board,
  kind,
  code,
  memberId,
  bonds,
  from,
  until,
];
/** Of futures each product has a base rule too. */
const isBase = (change: RuleChange): boolean =>
  keyOf(change.part === "futures" ? { ...change, code: null } : change)
    .slice(1)
    .every((word) => word === null);

/** Refuses selectors that a part does not have. @throws BadRule */
function checkSelectors({ part, board, kind, code, bonds, from, until }: RuleChange): void {
  if (part === "futures") {
    if ((board ?? kind ?? bonds) !== null || (code !== null && !FUTURES_PRODUCTS.some((product) => product === code)))
      throw new BadRule(`futures has exceptions only by code (${FUTURES_PRODUCTS.join(", ")}), from and until.`);
  } else if (part === "options") {
    if ((board ?? kind ?? code ?? bonds) !== null) throw new BadRule("options has exceptions only by from and until.");
  } else if (part !== "trade" && (board ?? kind ?? code ?? bonds ?? from ?? until) !== null) {
    throw new BadRule(
      `${part} applies to all instruments and days; only trade has exceptions by board, kind, code, bonds, from and until.`,
    );
  }
  if (from !== null && until !== null && from > until) throw new BadRule(`A rule from ${from} cannot hold until ${until}.`);
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string): z.infer<Schema> {
  const read = z.safeParse(schema, value);
  if (!read.success || [read.data].flat().some((one) => typeof one === "number" && one < 0))
    throw new BadRule(`${name} cannot be ${JSON.stringify(value)}.`);
  return read.data;
}

/** Parses a value as JSON; anything else stays text and fails validation where a number is needed. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Parses a change from arguments such as `trade kind=etf taxPerMillion=1000`. @throws BadRule */
export async function readChange(on: Reader, [part, ...words]: readonly string[]): Promise<RuleChange> {
  if (!isPart(part)) throw new BadRule(`Name a part: ${Object.keys(SCHEMAS).join(", ")}.`);
  const change: RuleChange = { part, board: null, kind: null, code: null, bonds: null, from: null, until: null, memberId: null, body: {} };
  for (const word of words) {
    const [, name, text] = /^([a-zA-Z]+)=(.+)$/.exec(word) ?? [];
    if (name === undefined || text === undefined) throw new BadRule(`${word} is not name=value.`);
    if (name === "board") change.board = parse(Board, text, name);
    else if (name === "kind") change.kind = parse(Kind, text, name);
    else if (name === "code") change.code = parse(Code, text, name);
    else if (name === "bonds") change.bonds = parse(z.boolean(), readValue(text), name);
    else if (name === "from" || name === "until") change[name] = parse(RuleDay, text, name);
    else if (name === "member") {
      const [member] = await query<{ id: number }>(on, "SELECT id FROM member WHERE account = $1", [text]);
      if (!member) throw new BadRule(`There is no member ${text}.`);
      change.memberId = member.id;
    } else {
      const field = (SCHEMAS[part].shape as Record<string, z.ZodMiniType>)[name];
      if (!field) throw new BadRule(`${part} has no ${name}; it has ${Object.keys(SCHEMAS[part].shape).join(", ")}.`);
      change.body[name] = parse(field, readValue(text), name);
    }
  }
  checkSelectors(change);
  return change;
}

/**
 * Checks what is then ruled of futures and options, together for each day and member: a rule that makes sense alone may not with the others.
 * @throws BadRule
 */
async function checkContracts(on: Reader, { part }: RuleChange): Promise<void> {
  if (part !== "futures" && part !== "options") return;
  const rules = await openRules(on);
  const named = await query<{ member_id: number }>(
    on,
    "SELECT DISTINCT member_id FROM rule WHERE part IN ('futures', 'options') AND member_id IS NOT NULL",
  );
  // Nobody has the number 0: what is ruled of everybody.
  for (const memberId of [0, ...named.map((row) => row.member_id)]) {
    const { futures, options } = rules.of(memberId);
    // What holds changes on these days alone.
    const days = [0, ...[...futures, ...options].flatMap(({ from, until }) => [from ?? 0, (until ?? 0) + 1])];
    for (const day of new Set(days)) {
      const faults = [
        ...FUTURES_PRODUCTS.map((product) => [product, futuresRuleFault(futuresRuleOf(futures, product, day))] as const),
        ["options", optionRuleFault(optionRuleOf(options, day))] as const,
      ];
      for (const [of, fault] of faults) if (fault !== null) throw new BadRule(`The rule of ${of} would make no sense: ${fault}.`);
    }
  }
}

/** Lets one change of futures or options wait for another: two that make sense apart may not together. What reads rules does not wait. */
async function serialise(on: Reader, { part }: RuleChange): Promise<void> {
  if (part === "futures" || part === "options") await query(on, "LOCK TABLE rule IN SHARE ROW EXCLUSIVE MODE");
}

/** Changes or adds a rule, in a transaction that a refusal ends; fields not named keep their values. @returns what it said before, null for a new one. @throws BadRule */
export async function setRule(on: Reader, change: RuleChange): Promise<object | null> {
  if (Object.keys(change.body).length === 0) throw new BadRule("Say what becomes what, as name=value.");
  await serialise(on, change);
  const key = keyOf(change);
  const [before] = await query<{ body: object }>(on, `SELECT body FROM rule WHERE ${SAME_KEY} FOR UPDATE`, key);
  const values = [...key, JSON.stringify(change.body)];
  if (before) await query(on, `UPDATE rule SET body = body || $9::jsonb WHERE ${SAME_KEY}`, values);
  else
    await query(
      on,
      `INSERT INTO rule (part, board, kind, code, member_id, bonds, valid_from, valid_until, body)
      VALUES ($1, $2, $3, $4, $5, $6, $7::date, $8::date, $9::jsonb)`,
      values,
    );
  await checkContracts(on, change);
  return before?.body ?? null;
}

/** Removes an exception. @returns what it said. @throws BadRule when there is none, or it is a base rule */
export async function dropRule(on: Reader, change: RuleChange): Promise<object> {
  if (isBase(change)) throw new BadRule("A base rule can be changed, not removed.");
  await serialise(on, change);
  const [dropped] = await query<{ body: object }>(on, `DELETE FROM rule WHERE ${SAME_KEY} RETURNING body`, keyOf(change));
  if (!dropped) throw new BadRule("There is no such exception.");
  await checkContracts(on, change);
  return dropped.body;
}

interface Row {
  part: string;
  board: string | null;
  kind: string | null;
  code: string | null;
  bonds: boolean | null;
  valid_from: string | null;
  valid_until: string | null;
  account: string | null;
  body: Record<string, unknown>;
}

/** Lists every rule on one line: selectors, then values. */
export async function describeRules(on: Reader): Promise<string> {
  const rows = await query<Row>(
    on,
    `SELECT part, board, rule.kind, code, bonds, valid_from::text, valid_until::text, account, body
    FROM rule LEFT JOIN member ON member.id = member_id ORDER BY rule.id`,
  );
  return rows
    .map(({ part, board, kind, code, bonds, valid_from: from, valid_until: until, account, body }) => {
      const words = Object.entries({ board, kind, code, bonds, from, until, member: account }).flatMap(([name, word]) =>
        word === null ? [] : [`${name}=${String(word)}`],
      );
      const values = Object.entries(body).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      return [part, ...words, ...values].join(" ");
    })
    .join("\n");
}
