/** Deposits: the channels that take them, their lifecycle, and the member's commands. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { Currency } from "./kernel/currency.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { PhotoId } from "./identity.ts";
import { RequestId } from "./kernel/id.ts";
import { minuteText } from "./funding.ts";
import { Cents, formatMoney } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import type { RefusalCode } from "./kernel/refusal.ts";
import type { RefusalParams } from "./kernel/reply.ts";
import { EpochMs } from "./kernel/time.ts";
import { ChannelPassword, Confirmation, sameAs, TypedPassword } from "./secret.ts";

/** The lifecycle of a deposit; the same in SQL, machine, locale (`deposit.status.*`) and CSS. */
export const DEPOSIT_STATUSES = ["pending", "processing", "credited", "rejected", "expired"] as const;
export const DepositStatus = z.enum(DEPOSIT_STATUSES);
export type DepositStatus = z.infer<typeof DepositStatus>;

/** What happens to a deposit: the member submits it, the bank reports the money, and it is credited; or not. */
export const DEPOSIT_FACTS = ["deposit.submitted", "deposit.received", "deposit.credited", "deposit.rejected", "deposit.expired"] as const;
export const DepositFactType = z.enum(DEPOSIT_FACTS);
export type DepositFactType = z.infer<typeof DepositFactType>;

/** Why a deposit was rejected. */
export const DEPOSIT_REASONS = ["proofReused", "operator"] as const;
export const DepositReason = z.enum(DEPOSIT_REASONS);
export type DepositReason = z.infer<typeof DepositReason>;

export const CHANNEL_KINDS = ["transfer", "counter", "password", "usdtTrc20", "usdtErc20"] as const;
export const ChannelKind = z.enum(CHANNEL_KINDS);
export type ChannelKind = z.infer<typeof ChannelKind>;

/** What the member pays in. */
export const PaidCurrency = z.enum(["TWD", "USDT"]);
export type PaidCurrency = z.infer<typeof PaidCurrency>;

export const DepositChannel = z.object({
  id: z.string(),
  kind: ChannelKind,
  /** What is paid, and the wallet it is credited to. */
  paid: PaidCurrency,
  currency: Currency,
  /** Bounds of one deposit in whole units of what is paid. */
  minimum: z.int(),
  maximum: z.int(),
  /** Taipei minutes of a working day. */
  opensMinute: z.int(),
  closesMinute: z.int(),
  /** Whether it takes deposits now; if not, whether today is no working day or it is only outside its hours. */
  hours: z.enum(["open", "notWorking", "outside"]),
  needsProof: z.boolean(),
  /** Whether it asks for the member's channel password. */
  needsPassword: z.boolean(),
  /** The broker's account or wallet address that the member pays to; the account is the member's own virtual one. */
  payTo: z.string(),
});
export type DepositChannel = z.infer<typeof DepositChannel>;

export const DepositNo = z.string().check(z.regex(/^D\d{1,12}$/, "GEN_NOT_FOUND"));

export const Deposit = z.object({
  depositNo: DepositNo,
  channel: ChannelKind,
  status: DepositStatus,
  paid: PaidCurrency,
  /** In whole units of what is paid. */
  amount: z.int(),
  /** What is credited, in hundredths of the wallet's currency. */
  currency: Currency,
  creditCents: Cents,
  payTo: z.string(),
  /** Of USDT: the member's wallet that it came from, and the transaction. */
  sender: z.nullable(z.string()),
  txHash: z.nullable(z.string()),
  /** The photo that proves it; deleted some days after the decision. */
  proofId: z.nullable(PhotoId),
  reason: z.nullable(DepositReason),
  submittedAt: EpochMs,
  /** When the bank reported the money; null before. */
  receivedAt: z.nullable(EpochMs),
  /** When it was credited, rejected or expired. */
  endedAt: z.nullable(EpochMs),
  expiresAt: EpochMs,
});
export type Deposit = z.infer<typeof Deposit>;

/** Whether a deposit is still on its way. */
export const isOpenDeposit = ({ status }: Pick<Deposit, "status">): boolean => status === "pending" || status === "processing";

/** Whole units, as typed; the channel's bounds are checked where the channel is known. */
export const DepositAmount = z
  .int("VAL_AMOUNT_EMPTY")
  .check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(1_000_000_000, "VAL_AMOUNT_EMPTY"));

/** A refusal of what was typed, at its field. */
export interface DepositRefusal {
  code: RefusalCode;
  params: RefusalParams;
  field: "channelId" | "amount" | "proofId";
}

/** Why a channel does not take this deposit, the first reason in the server's order; null when it does. */
export function depositRefusal(
  channel: Pick<DepositChannel, "hours" | "opensMinute" | "closesMinute" | "minimum" | "maximum" | "needsProof">,
  amount: number,
  { homeCents, leftTodayCents, hasProof }: { homeCents: number; leftTodayCents: number; hasProof: boolean },
): DepositRefusal | null {
  const { hours, opensMinute, closesMinute, minimum, maximum, needsProof } = channel;
  if (hours === "notWorking") return { code: "FUND_DEPOSIT_HOURS", params: {}, field: "channelId" };
  if (hours === "outside") {
    return { code: "FUND_DEPOSIT_HOURS_RANGE", params: { n1: minuteText(opensMinute), n2: minuteText(closesMinute) }, field: "channelId" };
  }
  if (amount < minimum) return { code: "FUND_DEPOSIT_MIN", params: { n: minimum }, field: "amount" };
  if (amount > maximum) return { code: "FUND_DEPOSIT_MAX", params: { n: maximum }, field: "amount" };
  if (homeCents > leftTodayCents) return { code: "FUND_DEPOSIT_DAILY", params: { n: formatMoney(leftTodayCents) }, field: "amount" };
  return needsProof && !hasProof ? { code: "VAL_PROOF_REQUIRED", params: {}, field: "proofId" } : null;
}

/** A photo that was uploaded before. */
export const ProofId = z.nullable(z.string("VAL_PROOF_REQUIRED").check(z.regex(/^[\w-]{22}$/, "GEN_UPLOAD_RESELECT")));

/** A channel password as typed; whether the channel asks for one is known where the channel is. */
const TypedChannelPassword = z.nullable(z.string("VAL_CHANNEL_PASSWORD").check(z.maxLength(64, "VAL_CHANNEL_PASSWORD")));

export const depositEndpoints = {
  readDepositing: endpoint({
    path: "/deposit/channels",
    access: "member",
    does: "Read the channels that take deposits, the deposit that is on its way, and how much more may be paid in today.",
    body: z.object({}),
    data: z.object({
      channels: z.array(DepositChannel),
      pending: z.nullable(Deposit),
      /** In TWD. */
      leftTodayCents: Cents,
      /** Whether a channel password is set. */
      channelPassword: z.boolean(),
    }),
    refusals: [],
  }),
  submitDeposit: endpoint({
    path: "/deposit/submit",
    access: "member",
    does: "Report a payment to one of the broker's channels with its proof; the bank confirms it and the money is credited.",
    body: z.object({
      requestId: RequestId,
      channelId: z.string().check(z.maxLength(40)),
      amount: DepositAmount,
      channelPassword: TypedChannelPassword,
      proofId: ProofId,
    }),
    data: Deposit,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "VAL_CHANNEL_PASSWORD",
      "PWD_CHANNEL_LOCKED",
      "PWD_CHANNEL_WRONG",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "FUND_OP_IN_PROGRESS",
      ...eligibilityRefusals("deposit"),
      "FUND_DEPOSIT_PENDING",
      "GEN_NOT_FOUND",
      "FUND_DEPOSIT_HOURS",
      "FUND_DEPOSIT_HOURS_RANGE",
      "FUND_DEPOSIT_MIN",
      "FUND_DEPOSIT_MAX",
      "FUND_DEPOSIT_DAILY",
      "VAL_PROOF_REQUIRED",
      "GEN_UPLOAD_RESELECT",
      "PWD_CHANNEL_NOT_SET",
    ],
  }),
  setChannelPassword: endpoint({
    path: "/deposit/channel-password",
    access: "member",
    does: "Set or replace the channel password with the sign-in password.",
    body: z
      .object({ current: TypedPassword, channelPassword: ChannelPassword, confirmation: Confirmation })
      .check(sameAs("channelPassword")),
    data: z.null(),
    refusals: [
      "VAL_PASSWORD_EMPTY",
      "VAL_CHANNEL_PASSWORD",
      "VAL_CONFIRM_EMPTY",
      "PWD_CONFIRM_MISMATCH",
      "ACC_SHARED",
      "GEN_TOO_FREQUENT",
      "PWD_ORIGINAL_WRONG",
    ],
  }),
  listDeposits: endpoint({
    path: "/deposit/list",
    access: "member",
    does: "List the member's deposits, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Deposit),
    refusals: [],
  }),
  readDeposit: endpoint({
    path: "/deposit/read",
    access: "member",
    does: "Read one deposit.",
    body: z.object({ depositNo: DepositNo }),
    data: Deposit,
    refusals: ["GEN_NOT_FOUND"],
  }),
};
