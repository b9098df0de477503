/** What a queued command needs read before it can be decided. */

/** What a batch has to read before its commands can be decided. */
export interface ReadSet {
  memberIds: readonly number[];
  requestIds: readonly string[];
  orderNos: readonly string[];
  /** How many numbers it may take: one for each new order, each close asked for and each new price. */
  placements: number;
  /** Alerts that may fire; of two members with the same id, both. */
  alertIds: readonly string[];
  /** How many conditions may be set. */
  conditions: number;
}
