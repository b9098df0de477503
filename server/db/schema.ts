/** The tables as the query builder sees them; the law is in `migrations/`. Money is cents, times are epoch milliseconds. */
import type { Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { OrderFactType } from "#contract/fact.ts";
import type { IdentityStatus } from "#contract/member.ts";

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

export interface WatchlistTable {
  member_id: number;
  code: string;
  place: number;
  added_at: number;
}

export interface SettingTable {
  name: string;
  value: string;
  open: boolean;
}

export interface FactTable {
  member_id: number;
  n: number;
  at: number;
  type: OrderFactType;
  body: JSONColumnType<object>;
}

export interface Tables {
  member: MemberTable;
  session: SessionTable;
  watchlist: WatchlistTable;
  setting: SettingTable;
  fact: FactTable;
}
