/** Personal data as the operator's commands print it: masked, unless they are asked for it. */
import { maskName } from "#server/accounts/mask-name.ts";

/** Keeps some characters at both ends. */
const masked = (text: string, head: number, tail: number): string =>
  text.length <= head + tail ? "*".repeat(text.length) : text.slice(0, head) + "*".repeat(text.length - head - tail) + text.slice(-tail);

const shown = (text: string | null, unmasked: boolean, mask: (text: string) => string): string => {
  if (text === null || text === "") return "-";
  return unmasked ? text : mask(text);
};

export const nameShown = (name: string, unmasked: boolean): string => shown(name, unmasked, maskName);
export const idNumberShown = (idNumber: string, unmasked: boolean): string => shown(idNumber, unmasked, (text) => masked(text, 1, 3));
export const mobileShown = (mobile: string | null, unmasked: boolean): string => shown(mobile, unmasked, (text) => masked(text, 2, 3));
export const numberShown = (number: string, unmasked: boolean): string => shown(number, unmasked, (text) => masked(text, 0, 4));
/** Only the year. */
export const birthShown = (date: string | null, unmasked: boolean): string => shown(date, unmasked, (text) => `${text.slice(0, 4)}-**-**`);
