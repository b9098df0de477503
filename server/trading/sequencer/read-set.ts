/** The rows a queued command needs before it can be decided. */
import type { CallKind } from "#server/venue/venue.ts";

/** One call auction of one instrument. */
export interface CallOf {
  code: string;
  kind: CallKind;
  /** When it was due. */
  at: number;
}

/** What a batch reads before its commands are decided. */
export interface ReadSet {
  memberIds: readonly number[];
  requestIds: readonly string[];
  orderNos: readonly string[];
  /** How many order numbers it may take: one for each new order, close or new price. */
  placements: number;
  /** Ids of alerts that may fire. Two members may use the same id; both are read. */
  alertIds: readonly string[];
  /** How many conditions it may set. */
  conditions: number;
  /** The call auctions it holds, each of which is held once. */
  calls: readonly CallOf[];
}
