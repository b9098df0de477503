/** The open orders of some members, for commands that decide on all of them. */
import type { OrderStatus } from "#contract/order.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { ReadSet } from "./read-set.ts";

export interface OpenOrder {
  orderNo: string;
  memberId: number;
  code: string;
  status: OrderStatus;
}

/** The numbers of orders that a command decides on, and how many new numbers it may take for them. */
export interface Chosen extends Pick<ReadSet, "orderNos">, Partial<Pick<ReadSet, "placements" | "conditions">> {}

export type Choose = (open: readonly OpenOrder[]) => Chosen;

/** A command that chooses its orders at its turn. */
export interface Choosing extends Pick<ReadSet, "memberIds">, Partial<Pick<ReadSet, "orderNos">> {
  /** How it chooses them among all open orders of its members; null if it needs none after all. */
  choosing?: () => Choose | null;
}

const OPEN = `
SELECT order_no AS "orderNo", member_id AS "memberId", code, status FROM "order"
WHERE member_id = ANY ($1::bigint[]) AND status IN ('pending', 'holding', 'readyToClose') ORDER BY order_no`;

/** Reads them, the oldest first. The sequencer alone changes them, so they stay as they are until the caller has decided. */
async function readOpenOrders(tx: Tx, memberIds: readonly number[]): Promise<OpenOrder[]> {
  return memberIds.length === 0 ? [] : query<OpenOrder>(tx, OPEN, [memberIds]);
}

/** The numbers of those in these statuses; `code` null for those of every instrument. A pending one may be filled until the decision. */
export function orderNosOf(open: readonly OpenOrder[], code: string | null, statuses?: readonly OrderStatus[]): string[] {
  return open
    .filter((order) => (code === null || order.code === code) && (statuses?.includes(order.status) ?? true))
    .map(({ orderNo }) => orderNo);
}

/** Completes the commands that choose their orders at their turn: one read for all of them. */
export async function withChosen<Command extends Choosing>(tx: Tx, commands: readonly Command[]): Promise<Command[]> {
  const choices = commands.map((command) => command.choosing?.() ?? null);
  const choosing = commands.filter((_command, nth) => choices[nth]);
  const open = await readOpenOrders(tx, [...new Set(choosing.flatMap(({ memberIds }) => memberIds))]);
  return commands.map((command, nth) => {
    const chosen = choices[nth]?.(open.filter(({ memberId }) => command.memberIds.includes(memberId)));
    return chosen ? { ...command, ...chosen, orderNos: [...(command.orderNos ?? []), ...chosen.orderNos] } : command;
  });
}
