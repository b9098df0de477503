/** Deposits in USDT: credited in US dollars at a quote that is locked for some seconds, from the member's own wallet, once a transaction. */
import * as z from "zod/mini";
import { Deposit, DepositAmount, ProofId } from "./deposit.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { Currency } from "./kernel/currency.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents, cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { AddressId, Network } from "./wallet-address.ts";

const MILLION = 1_000_000n;
/** Decimals of a rate. */
const RATE_PLACES = 4;

export const CryptoQuote = z.object({
  quoteId: z.uuid(),
  channelId: z.string(),
  network: Network,
  /** In whole USDT. */
  amount: z.int(),
  currency: Currency,
  creditCents: Cents,
  /** What one USDT is credited as, in decimals. */
  rate: z.string(),
  spreadPerMillion: z.int(),
  quotedAt: EpochMs,
  /** The quote can be used until this moment. */
  expiresAt: EpochMs,
});
export type CryptoQuote = z.infer<typeof CryptoQuote>;

/** What whole USDT are credited as in cents: a dollar each less the spread, rounded down. */
export function creditFor(amount: number, spreadPerMillion: number): Cents {
  return cents(Number((BigInt(amount) * 100n * (MILLION - BigInt(spreadPerMillion))) / MILLION));
}

/** The rate of a spread in decimals. */
export function cryptoRate(spreadPerMillion: number): string {
  return ((1_000_000 - spreadPerMillion) / 1_000_000).toFixed(RATE_PLACES);
}

const TX_HASHES: Record<Network, RegExp> = { trc20: /^[0-9a-f]{64}$/, erc20: /^0x[0-9a-f]{64}$/ };

/** Tells whether a text, in lower case, is written like a transaction hash of the network. */
export const isTxHash = (network: Network, text: string): boolean => TX_HASHES[network].test(text);

const lowered = z.pipe(
  z.string("VAL_TX_HASH").check(z.maxLength(80, "VAL_TX_HASH")),
  z.transform((text: string) => text.trim().toLowerCase()),
);
/** The hash as typed, in lower case; which of the two forms is right depends on the network. */
const TxHash = z.pipe(lowered, z.string().check(z.regex(/^(?:0x)?[0-9a-f]{64}$/, "VAL_TX_HASH")));

const BOUNDS = ["FUND_DEPOSIT_HOURS", "FUND_DEPOSIT_HOURS_RANGE", "FUND_DEPOSIT_MIN", "FUND_DEPOSIT_MAX", "FUND_DEPOSIT_DAILY"] as const;

export const cryptoDepositEndpoints = {
  quoteDeposit: endpoint({
    path: "/deposit/quote",
    access: "member",
    does: "Quote what USDT are credited as, locked for some seconds; it replaces the member's earlier quote.",
    body: z.object({ channelId: z.string().check(z.maxLength(40)), amount: DepositAmount }),
    data: CryptoQuote,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("deposit"),
      "FUND_DEPOSIT_PENDING",
      "GEN_NOT_FOUND",
      "CUR_NOT_OPEN",
      ...BOUNDS,
    ],
  }),
  submitCryptoDeposit: endpoint({
    path: "/deposit/crypto",
    access: "member",
    does: "Report USDT sent from one of the member's registered wallets, at the live quote, with the transaction's hash and a proof.",
    body: z.object({
      requestId: RequestId,
      quoteId: z.uuid(),
      addressId: AddressId,
      txHash: TxHash,
      proofId: ProofId,
    }),
    data: Deposit,
    refusals: [
      "WAL_NOT_FOUND",
      "VAL_TX_HASH",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "FUND_OP_IN_PROGRESS",
      ...eligibilityRefusals("deposit"),
      "FUND_DEPOSIT_PENDING",
      "CUR_QUOTE_EXPIRED",
      "GEN_NOT_FOUND",
      "CUR_NOT_OPEN",
      ...BOUNDS,
      "VAL_PROOF_REQUIRED",
      "GEN_UPLOAD_RESELECT",
      "FUND_TX_USED",
    ],
  }),
};
