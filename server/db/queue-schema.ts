/** Kysely types of the book: where resting orders stand in the exchange's queues, members' trades as everybody sees them, and what moves prices. */
import type { GeneratedAlways } from "kysely";

export interface QueuePlaceTable {
  order_no: string;
  price: number;
  turn: string;
  ahead: number | null;
}

export interface MemberTradeTable {
  id: GeneratedAlways<number>;
  universe: string;
  code: string;
  opens_at: number;
  at: number;
  price: number;
  lots: number;
  side: -1 | 0 | 1;
}

export interface MemberFillTable {
  id: GeneratedAlways<number>;
  universe: string;
  code: string;
  opens_at: number;
  at: number;
  lots: number;
}

export interface MemberDayTable {
  universe: string;
  code: string;
  opens_at: number;
  span: unknown;
  fills: unknown;
}

export interface MemberDayMarkTable {
  universe: string;
  until: number;
}
