/** Currency conversion: quotes at the mid rate less a spread, and their acceptance in one batch of the sequencer. */
import { randomUUID } from "node:crypto";
import { convert, hasMoved, rateOf } from "#contract/conversion.ts";
import type { Conversion, ConversionQuote, ConversionRule } from "#contract/conversion.ts";
import type { Body } from "#contract/endpoints.ts";
import { homeValue } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { HOUR_MS, SECOND_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { FROZEN_POCKETS } from "#server/ledger/pocket.ts";
import { midRateOf } from "#server/trading/clearing/mid-rates.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { RateHistory } from "./rate-history.ts";

/** The spread is at least this many deviations of fifteen seconds, so that a locked quote is no free option. */
const DEVIATIONS = 3;
/** However wild the market: a fifth of the rate. */
const MOST_PER_MILLION = 200_000;

interface Mids {
  fromMid: MidRate;
  toMid: MidRate;
}
interface QuoteRow {
  id: string;
  body: ConversionQuote;
  mids: Mids;
  home_cents: Cents;
  expires_at: number;
}

/** What a decision about conversions reads under the member's lock. */
export interface ConversionState {
  quote: QuoteRow | null;
  /** Whether that quote was accepted before. */
  used: boolean;
  /** Converted within the last hour, valued in TWD. */
  hourCents: number;
}

/** The mid rates of a pair. @throws Refusal CUR_NOT_OPEN where a currency is closed, or has no fresh price */
function midsOf(venue: Venue, rule: ConversionRule, from: Currency, to: Currency, at: number): Mids {
  const open = (currency: Currency, field: string): MidRate => {
    const rate = rule.closed.includes(currency) || !venue.fresh(at) ? null : midRateOf(venue, currency);
    if (!rate) throw new Refusal("CUR_NOT_OPEN", {}, field);
    return rate;
  };
  return { fromMid: open(from, "from"), toMid: open(to, "to") };
}

function checkHour(rule: ConversionRule, hourCents: number, homeCents: number): void {
  if (hourCents + homeCents > rule.hourlyCents) throw new Refusal("CUR_HOURLY_MAX", { n: formatMoney(rule.hourlyCents) }, "amount");
}

async function convertedSince(on: Reader, memberId: number, since: number): Promise<number> {
  const [row] = await query<{ sum: number }>(
    on,
    "SELECT coalesce(sum(home_cents), 0)::bigint AS sum FROM conversion WHERE member_id = $1 AND at > $2",
    [memberId, since],
  );
  return row?.sum ?? 0;
}

export interface QuoteDeps {
  venue: Venue;
  rates: RateHistory;
  rule: ConversionRule;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Makes a quote, which replaces the member's earlier one.
 * @throws Refusal CUR_SAME, CUR_NOT_OPEN, VAL_AMOUNT_EMPTY, FUND_BALANCE_INSUFFICIENT, FUND_AVAILABLE_INSUFFICIENT, CUR_HOURLY_MAX
 */
export async function makeQuote(tx: Tx, memberId: number, body: Body<"quoteConversion">, deps: QuoteDeps): Promise<ConversionQuote> {
  const { venue, rates, rule, at } = deps;
  const { from, to, side, amount } = body;
  if (from === to) throw new Refusal("CUR_SAME", {}, "to");
  const mids = midsOf(venue, rule, from, to, at);
  const deviation = rates.deviation(from) + rates.deviation(to);
  const spreadPerMillion = Math.min(Math.max(rule.spreadPerMillion, Math.ceil(DEVIATIONS * deviation)), MOST_PER_MILLION);
  const exchanged = convert({ side, amount, ...mids, spreadPerMillion });
  // Less than a hundredth of the other currency.
  if (!exchanged) throw new Refusal("VAL_AMOUNT_EMPTY", {}, "amount");
  await lockMember(tx, memberId);
  const balances = await readBalances(tx, memberId, from);
  const owned = FROZEN_POCKETS.reduce((sum, pocket) => sum + balances[pocket], Number(balances.available));
  if (owned < exchanged.fromCents) throw new Refusal("FUND_BALANCE_INSUFFICIENT", {}, "amount");
  if (balances.available < exchanged.fromCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  const homeCents = homeValue(exchanged.fromCents, mids.fromMid);
  checkHour(rule, await convertedSince(tx, memberId, at - HOUR_MS), homeCents);
  const quote: ConversionQuote = {
    quoteId: randomUUID(),
    from,
    to,
    side,
    ...exchanged,
    rate: rateOf(from, to, { ...mids, spreadPerMillion }),
    spreadPerMillion,
    quotedAt: epochMs(at),
    expiresAt: epochMs(at + rule.quoteSeconds * SECOND_MS),
  };
  await query(
    tx,
    `INSERT INTO conversion_quote (member_id, id, body, mids, home_cents, expires_at) VALUES ($1, $2, $3::jsonb, $4::jsonb, $5, $6)
     ON CONFLICT (member_id) DO UPDATE SET id = excluded.id, body = excluded.body, mids = excluded.mids,
       home_cents = excluded.home_cents, expires_at = excluded.expires_at`,
    [memberId, quote.quoteId, JSON.stringify(quote), JSON.stringify(mids), homeCents, quote.expiresAt],
  );
  return quote;
}

const conversions = new SharedRows(readConversion);

/** Reads what an acceptance is decided on, and opens the wallets it moves money between. */
export const openConversion = (tx: Tx, batch: Batch, memberId: number): Promise<ConversionState> => conversions.read(tx, batch, memberId);

async function readConversion(tx: Tx, batch: Batch, memberId: number): Promise<ConversionState> {
  const [quote = null] = await query<QuoteRow>(
    tx,
    "SELECT id, body, mids, home_cents, expires_at FROM conversion_quote WHERE member_id = $1",
    [memberId],
  );
  if (!quote) return { quote, used: false, hourCents: 0 };
  const [used] = await query(tx, "SELECT FROM conversion WHERE id = $1", [quote.id]);
  await batch.ledger.openWallets(tx, [memberId], [quote.body.from, quote.body.to]);
  return { quote, used: used !== undefined, hourCents: await convertedSince(tx, memberId, batch.at - HOUR_MS) };
}

/** Accepts a quote: exchanges both amounts through the broker's position in each currency. */
export function acceptQuote(batch: Batch, memberId: number, quoteId: string, state: ConversionState): Conversion {
  const { quote, used, hourCents } = state;
  const rule = batch.rules.of(memberId).conversion;
  if (!quote || quote.id !== quoteId.toLowerCase()) throw new Refusal("CUR_QUOTE_EXPIRED");
  if (used) throw new Refusal("CUR_QUOTE_USED");
  if (batch.at > quote.expires_at) throw new Refusal("CUR_QUOTE_EXPIRED");
  const { from, to, fromCents, toCents, rate, spreadPerMillion } = quote.body;
  if (hasMoved({ ...quote.mids, spreadPerMillion }, midsOf(batch.venue, rule, from, to, batch.at))) throw new Refusal("CUR_QUOTE_MOVED");
  if (batch.ledger.balance(memberId, "available", from) < fromCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  checkHour(rule, hourCents, quote.home_cents);
  batch.ledger.post({
    memberId,
    kind: "conversion",
    orderNo: null,
    moves: [
      { from: "available", to: "conversion", amount: fromCents, currency: from },
      { from: "conversion", to: "available", amount: toCents, currency: to },
    ],
  });
  batch.deferWrite(async (tx) => {
    await query(
      tx,
      `INSERT INTO conversion (id, member_id, at, from_currency, to_currency, from_cents, to_cents, home_cents)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [quote.id, memberId, batch.at, from, to, fromCents, toCents, quote.home_cents],
    );
  });
  state.used = true;
  batch.emit(memberId, { type: "wallet.changed", kind: "conversion", currencies: [from, to] });
  return { conversionId: quote.id, from, to, fromCents, toCents, rate, at: batch.at };
}
