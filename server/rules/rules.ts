/** The rules as the house keeps them: read from the database, put together for a member, handed to whoever decides an order. */
import type { Board, Kind } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { DAY_MS, taipeiDay } from "#contract/kernel/time.ts";
import { ruleOf } from "#contract/rule.ts";
import type { DayTradeRule, MarginRule, RuleException, Ruled, Rules, TradeRule } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

interface Row {
  part: "trade" | "margin" | "dayTrade";
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

/** Whether a row of rules is for everybody and everything, if perhaps not for ever. */
const isGeneral = ({ board, kind, code, bonds, member_id }: Row): boolean =>
  [board, kind, code, bonds, member_id].every((word) => word === null);
const isBase = (row: Row): boolean => isGeneral(row) && row.valid_from === null && row.valid_until === null;

/** What is said of everything comes first, what is said of one instrument after what is said of a class, and of one member last. */
const weightOf = (row: Row): number => (row.member_id !== null ? 4 : 0) + (isGeneral(row) ? 0 : 1) + (row.code !== null ? 1 : 0);

/** A day of the database as `taipeiDay` counts. */
const dayOf = (date: string | null): number | null => (date === null ? null : Date.parse(date) / DAY_MS);

export class RuleSet {
  #rows: readonly Row[];
  #perSecond: number;
  #version = 0;
  /** Given from outside: it overrules the setting, now and after every reload. */
  readonly #overruled: boolean;
  readonly #ofMember = new Map<number, Rules>();

  constructor(rows: readonly Row[], perSecond: number, overruled: boolean) {
    this.#rows = rows;
    this.#perSecond = perSecond;
    this.#overruled = overruled;
  }

  /** Everything a member trades by. */
  of(memberId: number): Rules {
    let rules = this.#ofMember.get(memberId);
    if (!rules) this.#ofMember.set(memberId, (rules = this.#collect(memberId)));
    return rules;
  }

  /** What a member trades one instrument by, on the day of a moment. */
  for(memberId: number, instrument: Ruled, at: number): TradeRule {
    return ruleOf(this.of(memberId), instrument, taipeiDay(at));
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** Commands of one member in a second. */
  get commandsPerSecond(): number {
    return this.#perSecond;
  }

  /** Read the rules again, as the operator changed them. */
  async reload(on: Reader): Promise<void> {
    const { rows, perSecond } = await readRows(on);
    if (JSON.stringify(rows) !== JSON.stringify(this.#rows)) this.#version += 1;
    this.#rows = rows;
    if (!this.#overruled) this.#perSecond = perSecond;
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
      commandsPerSecond: this.#perSecond,
    };
  }
}

async function readRows(on: Reader): Promise<{ rows: Row[]; perSecond: number }> {
  const rows = await query<Row>(
    on,
    "SELECT part, board, kind, code, bonds, valid_from::text, valid_until::text, member_id, body FROM rule ORDER BY id",
  );
  const [setting] = await query<{ value: string }>(on, "SELECT value FROM setting WHERE name = 'commandsPerSecond'");
  return { rows, perSecond: Number(setting?.value) || DEFAULT_PER_SECOND };
}

/** Open the book of rules. `perSecond` overrules the setting. */
export async function openRules(on: Reader, perSecond?: number): Promise<RuleSet> {
  const read = await readRows(on);
  return new RuleSet(read.rows, perSecond ?? read.perSecond, perSecond !== undefined);
}
