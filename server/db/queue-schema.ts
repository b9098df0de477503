/** Kysely types of where resting orders stand in the exchange's queues. */

export interface QueuePlaceTable {
  order_no: string;
  price: number;
  turn: string;
  ahead: number | null;
}
