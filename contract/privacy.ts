/** A member's own data: what keeps an account from being closed, the export of everything, and the closing itself. */
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { Currency } from "./kernel/currency.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { TypedPassword } from "./secret.ts";

/** Years after the closing: records of identity and payments, and orders with the ledger. */
export const KEPT_YEARS = { identity: 5, orders: 10 } as const;

/** Exports of a member in a day. */
export const EXPORTS_A_DAY = 3;

/** What keeps an account open, in the order it is told. */
export const UNFINISHED = [
  "positions",
  "orders",
  "settlements",
  "blocks",
  "bids",
  "deposits",
  "withdrawals",
  "loans",
  "lendings",
  "futures",
  "options",
  "copies",
  "strategies",
  "rebates",
  "identity",
  "applications",
  "restrictions",
  "money",
] as const;
export const Unfinished = z.enum(UNFINISHED);
export type Unfinished = z.infer<typeof Unfinished>;

export const Closing = z.object({
  /** What is still open, and how much of it; empty when the account can be closed. */
  open: z.array(z.object({ what: Unfinished, count: z.int() })),
  /** Money in any wallet, debts below zero. */
  money: z.array(z.object({ currency: Currency, amountCents: Cents })),
  /** What the money is worth in TWD where it is less than the smallest withdrawal and is given up with the account; else null. */
  remainderCents: z.nullable(Cents),
});
export type Closing = z.infer<typeof Closing>;

export const privacyEndpoints = {
  readClosing: endpoint({
    path: "/privacy/closing",
    access: "member",
    does: "Read what keeps the account from being closed.",
    body: z.object({}),
    data: Closing,
    refusals: [],
  }),
  exportData: endpoint({
    path: "/privacy/export",
    access: "member",
    does: "Read all own data as a ZIP of JSON and CSV files, a few times a day.",
    body: z.object({ current: TypedPassword }),
    data: z.object({ name: z.string(), base64: z.string() }),
    refusals: ["VAL_PASSWORD_EMPTY", "ACC_SHARED", "GEN_TOO_FREQUENT", "PWD_ORIGINAL_WRONG", "GEN_SYSTEM_BUSY"],
  }),
  closeAccount: endpoint({
    path: "/privacy/close",
    access: "member",
    does: "Close the account for good when nothing is open, and erase what the law does not keep; every session ends.",
    /** `givesUp`: the member gives up the remainder that `/privacy/closing` tells. */
    body: z.object({ current: TypedPassword, givesUp: withDefault(z.boolean(), false) }),
    /** Until when the rest is kept. */
    data: z.object({ identityUntil: EpochMs, ordersUntil: EpochMs }),
    refusals: ["VAL_PASSWORD_EMPTY", "ACC_SHARED", "GEN_TOO_FREQUENT", "PWD_ORIGINAL_WRONG", "ACC_CLOSE_OPEN"],
  }),
};
