/** The numbers by which members know ledger transactions: `F` and the transaction's id. */
import { Refusal } from "#server/kernel/refusal.ts";

const DIGITS = 12;

export const flowNoOf = (id: number): string => `F${String(id).padStart(DIGITS, "0")}`;

/** The id in a flow number. @throws Refusal GEN_PARAM_ERROR at `field` when it is not one of ours */
export function flowIdOf(flowNo: string, field: string): number {
  const id = /^F\d{12,15}$/.test(flowNo) ? Number(flowNo.slice(1)) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new Refusal("GEN_PARAM_ERROR", {}, field);
  return id;
}
