/** The tables as the query builder sees them; the law is in `migrations/`. Money is cents, times are epoch milliseconds. */
import type { Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { AlertKind, AlertStatus } from "#contract/alert.ts";
import type { Fact } from "#contract/fact.ts";
import type { FlowKind } from "#contract/flow.ts";
import type { Kind } from "#contract/instrument.ts";
import type { IdentityStatus } from "#contract/member.ts";
import type { MessageKind } from "#contract/message.ts";
import type { NewsKind, NewsTopic } from "#contract/news.ts";
import type { Direction, Fill, OrderStatus, Pricing } from "#contract/order.ts";

/** What keeps a member from signing in. */
export type MemberState = "active" | "loginBanned" | "banned" | "frozen" | "disabled";

export interface MemberTable {
  id: GeneratedAlways<number>;
  account: string;
  id_number: string;
  name: string;
  password_hash: string;
  guarantee_hash: string;
  identity: Generated<IdentityStatus>;
  state: Generated<MemberState>;
  trade_barred: Generated<boolean>;
  credit_score: Generated<number>;
  created_at: number;
}

export interface SessionTable {
  hash: string;
  member_id: number;
  address: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

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
}

export interface LedgerTxTable {
  id: GeneratedAlways<number>;
  member_id: number | null;
  kind: FlowKind;
  order_no: string | null;
  at: number;
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
  lock_seconds: number;
  locked: boolean;
  fills: number;
  filled_lots: number;
  closed_lots: number;
  closing_lots: number;
  close_pricing: Pricing | null;
  close_price: number | null;
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
  held_cents: number;
  collateral_cents: number;
  pledged_cents: number;
  profit_cents: number;
  version: number;
  asked_at: number;
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
}

export interface FactTable {
  member_id: number;
  n: number;
  at: number;
  type: Fact["type"];
  body: JSONColumnType<object>;
}

export interface AlertTable {
  member_id: number;
  id: string;
  code: string;
  kind: AlertKind;
  level: number;
  status: AlertStatus;
  set_at: number;
  fired_at: number | null;
  fired_price: number | null;
}

export interface MessageTable {
  id: Generated<number>;
  member_id: number;
  at: number;
  kind: MessageKind;
  read: boolean;
  alert_id: string | null;
}

export interface PreferenceTable {
  member_id: number;
  body: JSONColumnType<object>;
}

export interface ChartLineTable {
  member_id: number;
  code: string;
  lines: JSONColumnType<object>;
}

export interface SearchTable {
  member_id: number;
  code: string;
  at: number;
}

export interface NewsTable {
  id: GeneratedAlways<number>;
  universe: string;
  day: number;
  subject: string;
  at: number;
  topic: NewsTopic;
  kind: NewsKind;
  codes: string[];
  board: string | null;
  category: string | null;
  facts: JSONColumnType<object>;
}

export interface NewsEditionTable {
  universe: string;
  day: number;
  nth: number;
  at: number;
}

export interface Tables {
  member: MemberTable;
  session: SessionTable;
  watch_group: WatchGroupTable;
  watchlist: WatchlistTable;
  setting: SettingTable;
  pocket: PocketTable;
  ledger_tx: LedgerTxTable;
  entry: EntryTable;
  tally: TallyTable;
  order: OrderTable;
  fill: FillTable;
  request: RequestTable;
  fact: FactTable;
  alert: AlertTable;
  message: MessageTable;
  preference: PreferenceTable;
  chart_line: ChartLineTable;
  search: SearchTable;
  news: NewsTable;
  news_edition: NewsEditionTable;
}
