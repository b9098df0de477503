/** Kysely types of the members' own tables. */
import type { Generated, GeneratedAlways } from "kysely";
import type { Restriction } from "#contract/eligibility.ts";
import type { IdentityStatus } from "#contract/identity.ts";

export interface MemberTable {
  id: GeneratedAlways<number>;
  account: string;
  /** Empty when another member has proved the number that this one claimed. */
  id_number: string;
  name: Generated<string>;
  password_hash: string;
  guarantee_hash: string;
  identity: Generated<IdentityStatus>;
  restrictions: Generated<Restriction[]>;
  demo: Generated<boolean>;
  mobile: Generated<string | null>;
  /** `YYYY-MM-DD`. */
  birth_date: Generated<string | null>;
  invitation_code: Generated<string | null>;
  invited_by: Generated<number | null>;
  fund_password_hash: Generated<string | null>;
  fund_password_tries: Generated<number>;
  fund_password_locked_until: Generated<number | null>;
  fund_password_changed_at: Generated<number | null>;
  channel_password_hash: Generated<string | null>;
  channel_password_tries: Generated<number>;
  channel_password_wait_until: Generated<number | null>;
  password_changed_at: Generated<number | null>;
  /** First sign-in. */
  signed_in_at: Generated<number | null>;
  /** Latest sign-in on a device that was new to the account. */
  device_changed_at: Generated<number | null>;
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
  /** The browser and system in a few words; empty when unknown. */
  device: string;
  last_used_at: number | null;
}

export interface PasskeyTable {
  id: GeneratedAlways<number>;
  member_id: number;
  credential_id: string;
  rp_id: string;
  public_key: Uint8Array;
  counter: number;
  transports: string[];
  synced: boolean;
  name: string;
  added_at: number;
  last_used_at: number | null;
}
