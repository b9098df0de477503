/** The broker's rule for money in and out, and the hours in which it is taken. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";
import { DAY_MS, MINUTE_MS, epochMs, taipeiDay, taipeiMidnight } from "./kernel/time.ts";
import type { EpochMs } from "./kernel/time.ts";

/** What may keep a withdrawal back while it is open. */
export const HOLDING_KINDS = ["orders", "futures", "options", "copies", "funds"] as const;
export const HoldingKind = z.enum(HOLDING_KINDS);
export type HoldingKind = z.infer<typeof HoldingKind>;

/** Seconds are those of the sandbox bank. */
export const FundingRule = z.object({
  /** How long the bank takes to report a deposit, and to book it then. */
  reportSeconds: z.int(),
  bookSeconds: z.int(),
  /** A deposit that the bank has not reported by then expires. */
  expirySeconds: z.int(),
  /** The most a member may pay in on one Taipei day, valued in TWD. */
  dailyCents: Cents,
  /** The part of a USDT deposit that the broker keeps, and how long its quote is locked. */
  cryptoSpreadPerMillion: z.int(),
  quoteSeconds: z.int(),
  /** The most wallet addresses a member keeps. */
  maxAddresses: z.int(),
  /** Wrong channel passwords before each further one has to wait, and for how long. */
  channelPasswordTries: z.int(),
  channelPasswordWaitMinutes: z.int(),
  withdrawMinimumCents: Cents,
  withdrawMaximumCents: Cents,
  /** Taipei minutes of a working day between which withdrawals are taken. */
  withdrawOpensMinute: z.int(),
  withdrawClosesMinute: z.int(),
  /** How long a withdrawal waits before its review, is reviewed, and is under way to the bank. */
  reviewAfterSeconds: z.int(),
  reviewSeconds: z.int(),
  payoutSeconds: z.int(),
  /** When a withdrawal is usually paid. */
  usualMinutes: z.int(),
  /** Below this credit score nothing is paid out. */
  minimumScore: z.int(),
  /** What keeps withdrawals back while it is open. */
  holdingsBlock: z.array(HoldingKind),
});
export type FundingRule = z.infer<typeof FundingRule>;

/** The hours of a channel, in Taipei minutes of a working day: from `opensMinute` to before `closesMinute`. */
export interface FundingHours {
  opensMinute: number;
  closesMinute: number;
}

/** Tells whether a channel is open now, and if not, whether the day or only the hour is the reason. */
export function hoursAt({ opensMinute, closesMinute }: FundingHours, at: number, isWorkingDay: boolean): "open" | "notWorking" | "outside" {
  if (!isWorkingDay) return "notWorking";
  const minute = (at - taipeiMidnight(taipeiDay(at))) / MINUTE_MS;
  return minute >= opensMinute && minute < closesMinute ? "open" : "outside";
}

/** A minute of the day as `HH:mm`. */
export function minuteText(minute: number): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The end of the next working day, the latest moment at which a withdrawal is paid. */
export function latestPayout(at: number, isWorkingDay: (day: number) => boolean): EpochMs {
  let day = taipeiDay(at) + 1;
  while (!isWorkingDay(day)) day += 1;
  return epochMs(taipeiMidnight(day) + DAY_MS);
}
