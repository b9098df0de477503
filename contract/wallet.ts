/** The member's wallets in every currency, transfers between them, and the ledger lines behind every balance. */
import * as z from "zod/mini";
import { CashEntryKind } from "./cash-ledger.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { Currency } from "./kernel/currency.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** The wallets a member can move money between: of trading, of futures, and of rewards and rebates. */
export const WALLETS = ["securities", "futures", "profit"] as const;
export const Wallet = z.enum(WALLETS);
export type Wallet = z.infer<typeof Wallet>;

/** The parts of a member's money that the ledger keeps apart. */
export const POCKETS = [
  "available",
  "held",
  "collateral",
  "margin",
  "payout",
  "reserved",
  "unsettled",
  "owing",
  "debt",
  "profit",
  "futures",
  "credit",
] as const;
export const Pocket = z.enum(POCKETS);
export type Pocket = z.infer<typeof Pocket>;

/** The broker's side of a movement. */
export const BROKER_SIDES = [
  "fees",
  "tax",
  "clearing",
  "external",
  "loans",
  "interest",
  "issuers",
  "blockSellers",
  "lendingPool",
  "futuresClearing",
  "optionsClearing",
  "conversion",
  "rewards",
  "shortfall",
] as const;
const BrokerSide = z.enum(BROKER_SIDES);

/** A member's money in one currency, in hundredths of it. */
export const CurrencyBalance = z.object({
  currency: Currency,
  /** Every pocket that exists, except empty ones beyond the wallets. */
  pockets: z.array(z.object({ pocket: Pocket, balanceCents: Cents })),
  /** What belongs to the member, debts deducted; money that already paid for a purchase is not counted. */
  totalCents: Cents,
  /** The total in TWD cents at the venue's mid rate, and that rate of one unit in ten-millionths; null without a price. */
  homeCents: z.nullable(Cents),
  midTenMillionths: z.nullable(z.int()),
});
export type CurrencyBalance = z.infer<typeof CurrencyBalance>;

/** One line of the ledger in one of the member's pockets. */
export const PocketEntry = z.object({
  flowNo: z.string(),
  line: z.int(),
  at: EpochMs,
  kind: CashEntryKind,
  amountCents: Cents,
  /** The pocket's balance after it. */
  balanceCents: Cents,
  orderNo: z.nullable(OrderNo),
  code: z.nullable(Code),
  series: z.nullable(z.string()),
});
export type PocketEntry = z.infer<typeof PocketEntry>;

/** One line of a ledger transaction; the lines of each currency sum to zero. */
export const FlowLine = z.object({
  line: z.int(),
  currency: Currency,
  /** Null where the line is the broker's. */
  pocket: z.nullable(Pocket),
  broker: z.nullable(BrokerSide),
  amountCents: Cents,
  /** After the line; of the member's own pockets only. */
  balanceCents: z.nullable(Cents),
});
export type FlowLine = z.infer<typeof FlowLine>;

/** A finished transfer, with both balances after it. */
export const Transfer = z.object({
  currency: Currency,
  from: Wallet,
  to: Wallet,
  amountCents: Cents,
  fromCents: Cents,
  toCents: Cents,
  at: EpochMs,
});

const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(10_000_000_000_000, "VAL_AMOUNT_EMPTY"));

export const walletEndpoints = {
  readWallets: endpoint({
    path: "/wallets/read",
    access: "member",
    does: "Read the member's money in every currency, and what it is worth in TWD at the venue's mid rates.",
    body: z.object({}),
    data: z.object({ balances: z.array(CurrencyBalance), at: EpochMs }),
    refusals: [],
  }),
  transferFunds: endpoint({
    path: "/wallets/transfer",
    access: "member",
    does: "Move money of one currency between two of the member's wallets, at once and free of charge.",
    body: z.object({ requestId: RequestId, currency: Currency, from: Wallet, to: Wallet, amount: Amount }),
    data: Transfer,
    refusals: [
      "CUR_NOT_FOUND",
      "VAL_AMOUNT_EMPTY",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "FUND_OP_IN_PROGRESS",
      ...eligibilityRefusals("transfer"),
      // From a wallet to itself.
      "GEN_PARAM_ERROR",
      "FUND_TRANSFER_INSUFFICIENT",
      "FUND_FUTURES_MARGIN",
      "FUND_LOAN_NOT_COLLATERAL",
    ],
  }),
  listPocketEntries: endpoint({
    path: "/wallets/entries",
    access: "member",
    does: "List the ledger lines behind one balance of the member, newest first.",
    body: z.object({ currency: Currency, pocket: Pocket, cursor: Cursor }),
    data: pageOf(PocketEntry),
    refusals: ["CUR_NOT_FOUND"],
  }),
  readFlow: endpoint({
    path: "/flows/read",
    access: "member",
    does: "Read every ledger line of one of the member's transactions, with the broker's side.",
    body: z.object({ flowNo: z.string().check(z.regex(/^F\d{12,15}$/)) }),
    data: z.object({
      flowNo: z.string(),
      kind: CashEntryKind,
      at: EpochMs,
      orderNo: z.nullable(OrderNo),
      series: z.nullable(z.string()),
      lines: z.array(FlowLine),
    }),
    refusals: ["GEN_NOT_FOUND"],
  }),
};
