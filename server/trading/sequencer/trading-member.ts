/** The member fields that trading reads under the member's lock. */
import type { MarginStatus } from "#contract/margin.ts";
import type { Restriction } from "#contract/eligibility.ts";
import type { IdentityStatus } from "#contract/identity.ts";

/** A fee voucher that an order may reserve. */
export interface OpenVoucher {
  voucher_no: string;
  face_cents: number;
  expires_at: number;
}

export interface TradingMember {
  id: number;
  identity: IdentityStatus;
  restrictions: readonly Restriction[];
  /** `YYYY-MM-DD`; null where it was never asked. */
  birth_date: string | null;
  fact_n: number;
  profit_cents: number;
  margin_status: MarginStatus;
  day_signed_at: number | null;
  max_order_cents: number | null;
  daily_loss_cents: number | null;
  locked_until: number | null;
  easing: { maxOrderCents: number | null; dailyLossCents: number | null; at: number } | null;
  /** The Taipei day of the realised profit beside it. */
  profit_day: number;
  day_profit_cents: number;
  /** Owed on credit loans, interest included. Kept up to date by the commands that change it. */
  credit_cents: number;
  /** Until when some block purchase of theirs is locked; null for none. */
  block_until: number | null;
  /** Offers and loans of shares that are open. */
  lends: number;
  /** Fee vouchers that no order has reserved, the one that expires first in front. */
  vouchers: OpenVoucher[];
  /** The agent who invited the member; null for none. */
  agent_id: number | null;
}
