/** Premiums of options as text: points with tenths below fifty points, where the tick is less than one, and whole points above. */
import { grouped, MINUS } from "./kernel/money.ts";

/** From this premium on, in tenths, every tick is a whole point. */
const WHOLE_FROM = 500;

/** A premium in tenths of a point; the average of some lots may lie between ticks. */
export function formatPremium(tenths: number): string {
  const size = Math.abs(Math.round(tenths));
  const sign = tenths < 0 && size > 0 ? MINUS : "";
  const whole = grouped(String(Math.floor(size / 10)));
  return size >= WHOLE_FROM && size % 10 === 0 ? `${sign}${whole}` : `${sign}${whole}.${size % 10}`;
}

/** The net premium of a pair as it is typed, which may be nothing: like `typedPremium`, but no number is `NaN`. */
export function typedNet(text: string): number | null {
  const typed = typedPremium(text);
  return typed === 0 && !/^\s*0[0,.\s]*$/.test(text) ? Number.NaN : typed;
}

/** A typed premium in tenths, with a fraction where it is between them; null for nothing, 0 for what is no premium. */
export function typedPremium(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  if (digits === "") return null;
  const [, whole = "", tenth = "0", finer = ""] = /^(\d{1,9})(?:\.(\d)(\d{0,6}))?$/.exec(digits) ?? [];
  return whole === "" ? 0 : Number(whole) * 10 + Number(`${tenth}.${finer}`);
}
