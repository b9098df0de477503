/** Converts whole NT$ amounts between text fields and cents; null for none. */
import { grouped } from "#contract/kernel/money.ts";

/** The typed amount in cents: null for an empty field, 0 for an invalid amount, which the contract then refuses. */
export function typedCents(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  if (digits === "") return null;
  return /^\d{1,12}$/.test(digits) ? Number(digits) * 100 : 0;
}

/** Cents as the text of a field. */
export function fieldText(cents: number | null): string {
  return cents === null ? "" : grouped(String(Math.floor(cents / 100)));
}
