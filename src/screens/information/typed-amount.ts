/** Converts amounts with up to two decimals between text fields and hundredths. */
import { grouped } from "#contract/kernel/money.ts";

/** The typed amount in hundredths; null for an empty or unreadable one. */
export function typedHundredths(text: string): number | null {
  const match = /^(\d{1,11})(?:\.(\d{0,2}))?$/.exec(text.replaceAll(/[,\s]/g, ""));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** Hundredths as the text of a field. */
export function amountText(hundredths: number): string {
  return `${grouped(String(Math.floor(hundredths / 100)))}.${String(hundredths % 100).padStart(2, "0")}`;
}
