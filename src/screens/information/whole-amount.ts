/** Amounts of whole NT$ as a person types them, and as the desk keeps them: in cents, null for none. */
import { grouped } from "#contract/kernel/money.ts";

/** What was typed, in cents: null where the field is empty, 0 where it holds no amount, which the contract then refuses. */
export function typedCents(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  if (digits === "") return null;
  return /^\d{1,12}$/.test(digits) ? Number(digits) * 100 : 0;
}

/** Cents as they stand in a field. */
export function fieldText(cents: number | null): string {
  return cents === null ? "" : grouped(String(Math.floor(cents / 100)));
}
