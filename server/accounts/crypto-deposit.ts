/** Deposits of USDT: quotes of what is credited, and their use in a batch with the transaction that paid. */
import { randomUUID } from "node:crypto";
import { creditFor, cryptoRate, isTxHash } from "#contract/crypto-deposit.ts";
import type { CryptoQuote } from "#contract/crypto-deposit.ts";
import { depositRefusal } from "#contract/deposit.ts";
import type { FundingRule } from "#contract/funding.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { epochMs, SECOND_MS } from "#contract/kernel/time.ts";
import { NETWORK_OF } from "#contract/wallet-address.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { AddressRecord, DepositRecord } from "#server/records/deposit.ts";
import { midRateOf, valueInHome } from "#server/trading/clearing/mid-rates.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { TakenKeys } from "#server/trading/sequencer/shared-rows.ts";
import type { Venue } from "#server/venue/venue.ts";
import { checkMayDeposit, checkPaying, prepareDeposit, readChannels, readDepositedToday, record } from "./deposit.ts";
import type { DepositsInBatch, Proof } from "./deposit.ts";
import { readOpenDeposit } from "./open-deposit.ts";
import { ownAddress, readSharedAddresses } from "./wallet-address.ts";

/** What a decision reads under the member's lock. */
interface CryptoDepositInBatch {
  quote: CryptoQuote | null;
  addresses: AddressRecord[];
  /** The transaction was credited or is on its way, also when another member reported it. */
  isUsed: boolean;
  deposits: DepositsInBatch;
}

const QUOTE = "SELECT body FROM deposit_quote WHERE member_id = $1";
const KEEP = `INSERT INTO deposit_quote (member_id, id, body) VALUES ($1, $2, $3::jsonb)
  ON CONFLICT (member_id) DO UPDATE SET id = excluded.id, body = excluded.body`;
const DROP = "DELETE FROM deposit_quote WHERE member_id = $1 AND id = $2";
const USED = "SELECT FROM deposit WHERE tx_hash = $1 AND status NOT IN ('rejected', 'expired')";

/** Transactions that commands of a batch have reported, of any member. */
const reported = new TakenKeys();

/** @throws Refusal CUR_NOT_OPEN where the currency has no price now, so that nobody could say what the deposit is worth */
function checkPriced(venue: Venue, currency: Currency, at: number): void {
  if (!venue.fresh(at) || !midRateOf(venue, currency)) throw new Refusal("CUR_NOT_OPEN", {}, "channelId");
}

interface QuoteDeps {
  venue: Venue;
  rule: FundingRule;
  /** Epoch milliseconds. */
  at: number;
}

/** Makes a quote, which replaces the member's earlier one. @throws Refusal one of `quoteDeposit`'s but those of the member */
export async function quoteCrypto(
  on: Reader,
  memberId: number,
  { channelId, amount }: { channelId: string; amount: number },
  { venue, rule, at }: QuoteDeps,
): Promise<CryptoQuote> {
  if (await readOpenDeposit(on, memberId)) throw new Refusal("FUND_DEPOSIT_PENDING");
  const channel = (await readChannels(on, venue, memberId, at)).find(({ id }) => id === channelId);
  const network = channel && NETWORK_OF[channel.kind];
  if (!network) throw new Refusal("GEN_NOT_FOUND", {}, "channelId");
  const { currency } = channel;
  checkPriced(venue, currency, at);
  const creditCents = creditFor(amount, rule.cryptoSpreadPerMillion);
  const leftTodayCents = Math.max(0, rule.dailyCents - (await readDepositedToday(on, memberId, at)));
  const homeCents = valueInHome(venue, currency, creditCents);
  const refusal = depositRefusal(channel, amount, { homeCents, leftTodayCents, hasProof: true });
  if (refusal) throw new Refusal(refusal.code, refusal.params, refusal.field);
  const quote: CryptoQuote = {
    quoteId: randomUUID(),
    channelId,
    network,
    amount,
    currency,
    creditCents,
    rate: cryptoRate(rule.cryptoSpreadPerMillion),
    spreadPerMillion: rule.cryptoSpreadPerMillion,
    quotedAt: epochMs(at),
    expiresAt: epochMs(at + rule.quoteSeconds * SECOND_MS),
  };
  await query(on, KEEP, [memberId, quote.quoteId, JSON.stringify(quote)]);
  return quote;
}

/** Reads what `submitCrypto` decides on; the member is locked. */
export async function prepareCrypto(tx: Tx, batch: Batch, memberId: number, txHash: string): Promise<CryptoDepositInBatch> {
  const [kept] = await query<{ body: CryptoQuote }>(tx, QUOTE, [memberId]);
  return {
    quote: kept?.body ?? null,
    addresses: (await readSharedAddresses(tx, batch, memberId)).rows,
    isUsed: (await query(tx, USED, [txHash])).length > 0,
    deposits: await prepareDeposit(tx, batch, memberId, kept?.body.channelId ?? ""),
  };
}

/** What the member reports. */
export interface CryptoPaying {
  quoteId: string;
  addressId: string;
  txHash: string;
  proof: Proof;
}

/** Uses up the quote. @throws Refusal one of `submitCryptoDeposit`'s */
export function submitCrypto(
  batch: Batch,
  memberId: number,
  { quoteId, addressId, txHash, proof }: CryptoPaying,
  { quote, addresses, isUsed, deposits }: CryptoDepositInBatch,
): DepositRecord {
  checkMayDeposit(batch, memberId, deposits);
  if (quote?.quoteId !== quoteId.toLowerCase() || batch.at > quote.expiresAt) throw new Refusal("CUR_QUOTE_EXPIRED");
  const { amount, creditCents, network, currency } = quote;
  const paying = { amount, creditCents, proof };
  const channel = checkPaying(batch, memberId, paying, deposits);
  checkPriced(batch.venue, currency, batch.at);
  const { address: sender } = ownAddress(
    addresses.filter((one) => one.network === network),
    addressId,
  );
  if (!isTxHash(network, txHash)) throw new Refusal("VAL_TX_HASH", {}, "txHash");
  if (isUsed || reported.has(batch, txHash)) throw new Refusal("FUND_TX_USED", {}, "txHash");
  reported.take(batch, txHash);
  batch.deferWrite(async (tx) => {
    await query(tx, DROP, [memberId, quote.quoteId]);
  });
  return record(batch, memberId, { ...paying, sender, txHash }, channel, deposits);
}
