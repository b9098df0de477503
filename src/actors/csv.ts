/** Tables as CSV that Excel opens right: UTF-8 with its mark, CRLF, plain signed decimals, dates it reads, and no text it could take for a formula. */
import { formatDate, formatTime } from "#contract/kernel/time.ts";

/** What stands in a cell, already as its text. */
export type Cell = string;

/** Without it Excel reads the file in the computer's own old encoding. */
const MARK = "\uFEFF";
const LINE_END = "\r\n";

/** Words. What a spreadsheet would take for a formula is kept words by an apostrophe before it. */
export function wordCell(text: string): Cell {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

/** Cents as a decimal number: no separators, the minus a spreadsheet knows. */
export function moneyCell(cents: number): Cell {
  return decimal(cents, 2);
}

/** A price in ten-thousandths as a decimal number; empty where there is none. */
export function priceCell(units: number | null): Cell {
  return units === null ? "" : decimal(units, 4);
}

function decimal(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A moment in Taipei time, as spreadsheets of every language read it; empty for none. */
export function timeCell(at: number | null): Cell {
  return at === null ? "" : `${formatDate(at).replaceAll(".", "-")} ${formatTime(at)}`;
}

/** A code, whose zeros in front a spreadsheet would drop if it took it for a number. */
export function codeCell(code: string): Cell {
  return /^[0-9A-Z]+$/.test(code) ? `="${code}"` : wordCell(code);
}

const quoted = (cell: Cell): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The whole file. */
export function csvOf(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heading.map(wordCell), ...rows].map((cells) => cells.map(quoted).join(","));
  return MARK + lines.map((line) => line + LINE_END).join("");
}
