/** The virtual account number that belongs to one member: the bank's prefix for the broker, the member, and a check digit. */

/** The number of the broker at its bank. */
const PREFIX = "96878";
const MEMBER_DIGITS = 8;
const WEIGHTS = [3, 7, 1];

/** Fourteen digits; money that arrives there belongs to this member. */
export function virtualAccount(memberId: number): string {
  const body = PREFIX + String(memberId).padStart(MEMBER_DIGITS, "0");
  const sum = body.split("").reduce((total, digit, at) => total + ((Number(digit) * (WEIGHTS[at % WEIGHTS.length] ?? 1)) % 10), 0);
  return body + String((10 - (sum % 10)) % 10);
}
