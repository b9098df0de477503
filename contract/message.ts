/** The inbox: the broker's messages to a member, as data that the client words in the reader's language. */
import * as z from "zod/mini";
import { Alert } from "./alert.ts";
import { AuctionNotice } from "./bid.ts";
import { BlockOrder } from "./block-order.ts";
import { Debt } from "./debt.ts";
import { IdentityDecision } from "./identity.ts";
import { Deposit } from "./deposit.ts";
import { LoanNotice } from "./loan.ts";
import { ExecutionReport } from "./execution-report.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { MarginCall } from "./margin.ts";
import { RestrictionNotice } from "./restriction.ts";
import { Notice } from "./notice.ts";
import { Withdrawal } from "./withdrawal.ts";

/** What a message is about; each kind has its text in the locales. */
export const MESSAGE_KINDS = [
  "welcome",
  "alert",
  "marginCall",
  "debt",
  "executionReport",
  "identity",
  "deposit",
  "withdrawal",
  "loan",
  "block",
  "auction",
  "restriction",
  "notice",
] as const;
export const MessageKind = z.enum(MESSAGE_KINDS);
export type MessageKind = z.infer<typeof MessageKind>;

export const MessageId = z.string().check(z.regex(/^M\d{1,12}$/, "GEN_NOT_FOUND"));

export const Message = z.object({
  id: MessageId,
  at: EpochMs,
  kind: MessageKind,
  read: z.boolean(),
  /** The alert as it fired; null for other kinds. */
  alert: z.nullable(Alert),
  /** The margin call's current state; absent for other kinds. */
  call: z.optional(MarginCall),
  /** What was owed and how it was paid; absent for other kinds. */
  debt: z.optional(Debt),
  /** What happened to an order, with all partial fills so far; absent for other kinds. */
  report: z.optional(ExecutionReport),
  /** The decision of an identity review; absent for other kinds. */
  identity: z.optional(IdentityDecision),
  /** The deposit as it ended; absent for other kinds. */
  deposit: z.optional(Deposit),
  /** What happened to a credit loan; absent for other kinds. */
  loan: z.optional(LoanNotice),
  /** A restriction that was imposed or lifted; absent for other kinds. */
  restriction: z.optional(RestrictionNotice),
  /** A decision, an expiry or a payment; absent for other kinds. */
  notice: z.optional(Notice),
  /** The withdrawal as it ended; absent for other kinds. */
  withdrawal: z.optional(Withdrawal),
  /** The block purchase as it ended; absent for other kinds. */
  block: z.optional(BlockOrder),
  /** What happened in an auction; absent for other kinds. */
  auction: z.optional(AuctionNotice),
});
export type Message = z.infer<typeof Message>;

export const messageEndpoints = {
  listMessages: endpoint({
    path: "/messages/list",
    access: "member",
    does: "List the member's messages, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Message),
    refusals: [],
  }),
  readMessage: endpoint({
    path: "/messages/read",
    access: "member",
    does: "Read one message and mark it as read.",
    body: z.object({ id: MessageId }),
    data: z.object({ message: Message, unread: z.int() }),
    refusals: ["GEN_NOT_FOUND"],
  }),
  readAllMessages: endpoint({
    path: "/messages/read-all",
    access: "member",
    does: "Mark every message as read.",
    body: z.object({}),
    data: z.object({ unread: z.int() }),
    refusals: [],
  }),
};
