/** Kysely types of the tables; `migrations/` is authoritative. Money is in cents, times are epoch milliseconds. */
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { ConditionStatus } from "#contract/condition.ts";
import type { MarginCallStatus, MarginStatus } from "#contract/margin.ts";
import type { Fact } from "#contract/fact.ts";
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import type { Kind } from "#contract/instrument.ts";
import type { Message, MessageKind } from "#contract/message.ts";
import type { Adjustment, CloseCause, Direction, Fill, OrderOrigin, OrderStatus, Pricing, TriggerKind, Validity } from "#contract/order.ts";
import type { Funding, Market, Terms } from "#contract/rule.ts";
import type { AlertTable } from "./alert-schema.ts";
import type { AgreementTable, AgreementTextTable } from "./document-schema.ts";
import type { MemberTable, PasskeyTable, SessionTable } from "./member-schema.ts";
import type { NewsEditionTable, NewsTable } from "./news-schema.ts";
import type { MemberDayMarkTable, MemberDayTable, MemberFillTable, MemberTradeTable, QueuePlaceTable } from "./queue-schema.ts";

export interface WatchGroupTable {
  member_id: number;
  id: string;
  name: string;
  place: number;
}

export interface WatchlistTable {
  member_id: number;
  group_id: string;
  code: string;
  place: number;
  added_at: number;
}

export interface SettingTable {
  name: string;
  value: string;
  open: boolean;
}

export interface PocketTable {
  id: GeneratedAlways<number>;
  member_id: number | null;
  kind: string;
  currency: string;
  balance: GeneratedAlways<number>;
  /** A debt, or margin put up. */
  watched: GeneratedAlways<boolean>;
}

export interface LedgerTxTable {
  id: GeneratedAlways<number>;
  member_id: number | null;
  kind: CashEntryKind;
  order_no: string | null;
  at: number;
  paid_in_cents: number | null;
  series: string | null;
}

export interface EntryTable {
  tx_id: number;
  line: number;
  pocket_id: number;
  amount: number;
  balance_after: number | null;
}

export interface TallyTable {
  member_id: number;
  fact_n: Generated<number>;
  profit_cents: Generated<number>;
}

export interface OrderTable {
  order_no: string;
  member_id: number;
  request_id: string;
  code: string;
  kind: Kind;
  status: OrderStatus;
  direction: Direction;
  pricing: Pricing;
  price: number | null;
  bound_price: number | null;
  currency: string;
  lots: number;
  lot_shares: number;
  leverage: number;
  market: Market;
  validity: Validity;
  funding: Funding;
  day_trade: boolean;
  terms: Terms;
  trigger_kind: "stop" | "takeProfit" | null;
  trigger_price: number | null;
  /** Time priority among orders at one price. */
  turn: string;
  locked: boolean;
  fills: number;
  filled_lots: number;
  closed_lots: number;
  closing_lots: number;
  close_pricing: Pricing | null;
  close_price: number | null;
  close_market: Market | null;
  close_validity: Validity | null;
  close_cause: CloseCause | null;
  origin: OrderOrigin | null;
  placed_at: number;
  bought_at: number | null;
  sold_at: number | null;
  locked_until: number | null;
  open_cents: number;
  open_fee_cents: number;
  open_tax_cents: number;
  close_cents: number;
  close_fee_cents: number;
  close_tax_cents: number;
  /** Part of the above from the fills of the latest close order: value and fee. */
  closing_cents: number;
  closing_fee_cents: number;
  held_cents: number;
  collateral_cents: number;
  pledged_cents: number;
  /** Total borrowed on opening, the part still owed, and the interest on it accrued through `interest_day`. */
  lent_cents: number;
  loan_cents: number;
  interest_cents: number;
  interest_day: number | null;
  dividend_cents: number;
  /** Fees for the open lots that were lent (plus) or borrowed (minus), and through which fee day borrowing is charged. */
  lending_cents: number;
  borrow_day: number | null;
  /** Lots that are offered to borrowers or on loan: not sold. */
  on_loan_lots: number;
  profit_cents: number;
  /** The fee voucher of the opening side: what it may still pay, and what it has paid. */
  voucher_no: string | null;
  voucher_left_cents: number;
  voucher_cents: number;
  version: number;
  asked_at: number;
  /** When it took its `turn`; null where that is not known. */
  turn_at: number | null;
  /** When the order, or its close, goes to the market; null for one that is not reserved. */
  reserved_for: number | null;
  /** Dividends and lending fees less interest of the closed lots. */
  carried_cents: number;
}

export interface FillTable {
  order_no: string;
  n: number;
  member_id: number;
  side: Fill["side"];
  at: number;
  price: number;
  lots: number;
  fee_cents: number;
  tax_cents: number;
  reason: Fill["reason"];
  level: number;
  best: number;
  profit_cents: number;
}

export interface RequestTable {
  member_id: number;
  request_id: string;
  endpoint: string;
  body_hash: string;
  order_no: string;
  at: number;
  /** The answer of a command on several orders, for repeats of its id. */
  answer: object | null;
}

export interface TraderTable {
  member_id: number;
  margin_status: Generated<MarginStatus>;
  margin_applied_at: number | null;
  margin_approved_at: number | null;
  margin_version: Generated<number>;
  margin_verdict: Generated<"approved" | "rejected" | null>;
  day_signed_at: number | null;
  warning_percent: number | null;
  max_order_cents: number | null;
  daily_loss_cents: number | null;
  slide_above_cents: number | null;
  locked_until: number | null;
  easing: JSONColumnType<object> | null;
  profit_day: Generated<number>;
  day_profit_cents: Generated<number>;
}

export interface ConditionTable {
  condition_no: string;
  member_id: number;
  order_no: string;
  code: string;
  kind: TriggerKind;
  price: number;
  best: number | null;
  status: ConditionStatus;
  set_at: number;
  ended_at: number | null;
  fired_price: number | null;
  refusal: string | null;
  version: number;
}

export interface MarginCallTable {
  call_no: string;
  member_id: number;
  status: MarginCallStatus;
  called_at: number;
  due_at: number;
  ended_at: number | null;
  required_cents: number;
  paid_cents: number;
}

export interface SettlementTable {
  id: GeneratedAlways<number>;
  member_id: number;
  order_no: string;
  traded_at: number;
  due_at: number;
  amount_cents: number;
  settled_at: number | null;
  kind: Generated<"trade" | "dividend" | "hold">;
  nets: Generated<boolean>;
}

export interface AdjustmentTable {
  order_no: string;
  member_id: number;
  day: number;
  kind: Adjustment["kind"];
  at: number;
  from_lots: number;
  from_lot_shares: number;
  to_lots: number;
  to_lot_shares: number;
  cash_cents: number;
}

export interface WorthTable {
  member_id: number;
  at: number;
  total_cents: number;
  paid_in_cents: number;
}

export interface FactTable {
  member_id: number;
  n: number;
  at: number;
  type: Fact["type"];
  body: JSONColumnType<object>;
}

export interface MessageTable {
  id: Generated<number>;
  member_id: number;
  at: number;
  kind: MessageKind;
  read: boolean;
  alert_id: string | null;
  call_no: Generated<string | null>;
  debt: ColumnType<NonNullable<Message["debt"]> | null, string | undefined, never>;
  report: ColumnType<NonNullable<Message["report"]> | null, string | undefined, never>;
  withdrawal: ColumnType<NonNullable<Message["withdrawal"]> | null, string | undefined, never>;
  identity: ColumnType<NonNullable<Message["identity"]> | null, string | undefined, never>;
  restriction: ColumnType<NonNullable<Message["restriction"]> | null, string | undefined, never>;
  deposit: ColumnType<NonNullable<Message["deposit"]> | null, string | undefined, never>;
  loan: ColumnType<NonNullable<Message["loan"]> | null, string | undefined, never>;
  block: ColumnType<NonNullable<Message["block"]> | null, string | undefined, never>;
  auction: ColumnType<NonNullable<Message["auction"]> | null, string | undefined, never>;
  notice: ColumnType<NonNullable<Message["notice"]> | null, string | undefined, never>;
  /** Its member was not told about it yet. */
  untold: Generated<boolean>;
}

export interface PreferenceTable {
  member_id: number;
  body: JSONColumnType<object>;
}

export interface WorkspaceTable {
  member_id: number;
  body: JSONColumnType<object>;
}

export interface ChartLineTable {
  member_id: number;
  code: string;
  lines: JSONColumnType<object>;
}

export interface ChartShapeTable {
  member_id: number;
  code: string;
  shapes: JSONColumnType<object>;
}

export interface SearchTable {
  member_id: number;
  code: string;
  at: number;
}

export interface Tables {
  member: MemberTable;
  session: SessionTable;
  passkey: PasskeyTable;
  watch_group: WatchGroupTable;
  watchlist: WatchlistTable;
  member_trade: MemberTradeTable;
  member_fill: MemberFillTable;
  member_day: MemberDayTable;
  member_day_mark: MemberDayMarkTable;
  queue_place: QueuePlaceTable;
  setting: SettingTable;
  pocket: PocketTable;
  ledger_tx: LedgerTxTable;
  entry: EntryTable;
  tally: TallyTable;
  order: OrderTable;
  fill: FillTable;
  request: RequestTable;
  fact: FactTable;
  trader: TraderTable;
  condition: ConditionTable;
  margin_call: MarginCallTable;
  settlement: SettlementTable;
  adjustment: AdjustmentTable;
  worth: WorthTable;
  alert: AlertTable;
  message: MessageTable;
  preference: PreferenceTable;
  chart_line: ChartLineTable;
  chart_shape: ChartShapeTable;
  workspace: WorkspaceTable;
  search: SearchTable;
  news: NewsTable;
  news_edition: NewsEditionTable;
  agreement_text: AgreementTextTable;
  agreement: AgreementTable;
}
