/** A member's futures margin account: what it holds, and what may leave it. */
import { futuresMargin } from "#contract/futures-price.ts";
import type { FuturesMargin } from "#contract/futures-price.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Venue } from "#server/venue/venue.ts";
import { futuresOf, heldOf } from "./futures-in-batch.ts";
import { priceOfHeld } from "./futures-value.ts";

/** Where an account is looked at: its market and its rules. */
export interface MarginSources {
  venue: Venue;
  rules: Pick<RuleSet, "of">;
}

/** The account of some positions at the prices and by the margins of now; what has expired counts as last settled. */
export function marginOf({ venue, rules }: MarginSources, at: number, walletCents: number, rows: readonly FuturesRecord[]): FuturesMargin {
  return futuresMargin(
    walletCents,
    rows.map((row) => {
      const { product, member_id: memberId } = row;
      return { product, held: heldOf(row), price: priceOfHeld(venue, at, row), terms: futuresRuleAt(rules, memberId, product, at) };
    }),
  );
}

/** What an account lacks now: of the initial margin while margin is called for, otherwise of what its losses have used up beyond it. */
export function lackingOf({ equityCents, initialCents }: FuturesMargin, rows: readonly Pick<FuturesRecord, "status">[]): Cents {
  const called = rows.some(({ status }) => status === "called");
  return cents(Math.max(0, (called ? initialCents : 0) - equityCents));
}

const OPEN = "SELECT * FROM futures_position WHERE member_id = $1 AND status IN ('open', 'called')";

/** What a member's futures lack: money that stays with the broker. */
export async function readLacking(on: Reader, sources: MarginSources, memberId: number, at: number): Promise<Cents> {
  const rows = await query<FuturesRecord>(on, OPEN, [memberId]);
  if (rows.length === 0) return cents(0);
  return lackingOf(marginOf(sources, at, (await readBalances(on, memberId)).futures, rows), rows);
}

export const marginIn = (batch: Batch, memberId: number): FuturesMargin =>
  marginOf(batch, batch.at, batch.ledger.balance(memberId, "futures"), futuresOf(batch, memberId));
