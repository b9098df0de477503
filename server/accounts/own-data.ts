/** Every table with data of a member: what of it the export holds, and when it is erased after the account is closed. */

/**
 * - `closing`: with the account; no law keeps it.
 * - `identity`: five years after it, as records of identity and payments.
 * - `orders`: ten years after it the account number is erased; the figures stay, and lead to nobody any more.
 */
export type Kept = "closing" | "identity" | "orders";

export interface OwnTable {
  table: string;
  /** The column with the member's id. */
  by: string;
  /** The columns that order its rows, unique among those of the member. */
  key: readonly string[];
  /** Columns that the export leaves out: secrets, and what says something about others. */
  hidden?: readonly string[];
  /** Columns that the export tells only in rows where a condition in SQL holds: results that are written before they are published. */
  toldWhen?: Readonly<Record<string, string>>;
  /** Why the export leaves out the whole table. */
  notExported?: string;
  kept: Kept;
}

const own = (table: string, kept: Kept, key: readonly string[], more: Partial<OwnTable> = {}): OwnTable => ({
  table,
  by: "member_id",
  key,
  kept,
  ...more,
});

const OPENED = "bid.status NOT IN ('placed', 'voided')";

/**
 * A test reads the database and fails for a table with a member's id that is missing here. In the order of erasure: a row before the one
 * that it refers to.
 */
export const OWN_TABLES: readonly OwnTable[] = [
  own("watchlist", "closing", ["group_id", "code"]),
  own("watch_group", "closing", ["id"]),
  own("message", "closing", ["id"]),
  own("alert", "closing", ["id"]),
  own("chart_line", "closing", ["code"]),
  own("chart_shape", "closing", ["code"]),
  own("check_in", "closing", ["day"]),
  own("cover_notice", "closing", ["member_id", "code", "last_day"]),
  own("share_notice", "closing", ["member_id", "code", "ex_day"]),
  own("fund_notice", "closing", ["offering_no"]),
  own("auction_booking", "closing", ["auction_id"], { hidden: ["id"] }),
  own("offering_booking", "closing", ["offering_no"]),
  own("conversion_quote", "closing", ["id"]),
  own("fact", "closing", ["n"]),
  own("deposit_quote", "closing", ["member_id"]),
  own("one_time_code", "closing", ["purpose"], { hidden: ["code_hash"] }),
  own("photo", "closing", ["id"], { hidden: ["content"] }),
  own("passkey", "closing", ["id"], { hidden: ["credential_id", "public_key"] }),
  own("preference", "closing", ["member_id"]),
  own("push_subscription", "closing", ["endpoint"], { hidden: ["session_hash", "p256dh", "auth"] }),
  own("request", "closing", ["request_id"], { hidden: ["body_hash"] }),
  own("search", "closing", ["code"]),
  own("workspace", "closing", ["member_id"]),
  own("application", "closing", ["application_no"]),
  own("agent", "closing", ["member_id"]),
  own("rule", "closing", ["id"]),
  own("session", "closing", ["hash"], { hidden: ["hash"] }),

  own("identity_submission", "identity", ["id"]),
  own("representative", "identity", ["member_id"]),
  own("agreement", "identity", ["id"], { hidden: ["session_hash"] }),
  own("withdrawal", "identity", ["withdrawal_no"]),
  own("bank_card", "identity", ["id"]),
  own("wallet_address", "identity", ["id"]),
  own("deposit", "identity", ["deposit_no"]),
  own("credit_change", "identity", ["id"]),
  own("loan", "identity", ["loan_no"]),
  own("restriction_change", "identity", ["id"]),
  own("closed_member", "identity", ["member_id"], { notExported: "It exists only once nobody can sign in to the account any more." }),

  own("order", "orders", ["order_no"]),
  own("fill", "orders", ["order_no", "n"]),
  own("condition", "orders", ["condition_no"]),
  own("adjustment", "orders", ["order_no", "day", "kind"]),
  own("settlement", "orders", ["id"]),
  own("margin_call", "orders", ["call_no"]),
  own("block_order", "orders", ["block_no"]),
  // `id` counts the applications, stakes and bids of everybody.
  own("entitlement", "orders", ["offering_no"]),
  own("subscription", "orders", ["subscription_no"], { hidden: ["id"], toldWhen: { won_lots: "subscription.result_at IS NOT NULL" } }),
  own("stake", "orders", ["stake_no"], { hidden: ["id"], toldWhen: { allotted_lots: "stake.result_at IS NOT NULL" } }),
  own("bid", "orders", ["bid_no"], {
    hidden: ["id", "due_at"],
    toldWhen: {
      won_lots: OPENED,
      won_cents: OPENED,
      award_fee_cents: OPENED,
      due_cents: OPENED,
      refund_cents: OPENED,
      opened_at: OPENED,
      payable_until: OPENED,
      refunds_at: OPENED,
    },
  }),
  own("futures_trade", "orders", ["id"]),
  own("futures_position", "orders", ["position_no"], { hidden: ["id"] }),
  own("option_trade", "orders", ["id"]),
  own("option_position", "orders", ["position_no"], { hidden: ["id"] }),
  own("lending", "orders", ["lending_no"], { hidden: ["id"] }),
  own("copy_part", "orders", ["id"], { hidden: ["lead_no", "from_n"] }),
  own("copy", "orders", ["copy_no"], { hidden: ["id"] }),
  own("strategy_trade", "orders", ["id"]),
  own("strategy_run", "orders", ["run_no"], { hidden: ["id"] }),
  own("mentor", "orders", ["mentor_no"]),
  own("savings_run", "orders", ["plan_no", "month"]),
  own("savings_plan", "orders", ["plan_no"]),
  own("conversion", "orders", ["id"]),
  own("voucher", "orders", ["voucher_no"]),
  own("ledger_tx", "orders", ["id"], { hidden: ["sealed"] }),
  own("pocket", "orders", ["id"]),
  own("worth", "orders", ["at"]),
  own("tally", "orders", ["member_id"]),
  own("trader", "orders", ["member_id"]),
  own("rebate_payment", "orders", ["agent_id", "month"], { by: "agent_id" }),
  own("rebate", "orders", ["month", "member_id"], { by: "agent_id", hidden: ["member_id"] }),
  own("rebate", "orders", ["agent_id", "month"], {
    notExported: "What another member earned as an agent; the commissions themselves are in fill.",
  }),
];

/** Columns of `member` that the export leaves out. */
export const HIDDEN_OF_MEMBER = ["password_hash", "guarantee_hash", "fund_password_hash", "channel_password_hash", "invited_by"] as const;
