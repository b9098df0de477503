/** Builds CSV files that Excel opens correctly: UTF-8 with a byte order mark, CRLF, plain signed decimals, ISO dates, formulas escaped. */
import { formatDate, formatTime } from "#contract/kernel/time.ts";

/** The text of one cell. */
export type Cell = string;

/** Byte order mark; without it Excel decodes the file with the computer's legacy code page. */
const MARK = "\uFEFF";
const LINE_END = "\r\n";

/** A text cell. A leading apostrophe stops a spreadsheet from running it as a formula. */
export function wordCell(text: string): Cell {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

/** Cents as a decimal number: no separators, ASCII minus. */
export function moneyCell(cents: number): Cell {
  return decimal(cents, 2);
}

/** A price in ten-thousandths as a decimal number; empty where there is none. */
export function priceCell(units: number | null): Cell {
  return units === null ? "" : decimal(units, 4);
}

/** Hundredths of a percent as a percentage. */
export function percentCell(basisPoints: number): Cell {
  return `${decimal(basisPoints, 2)}%`;
}

function decimal(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A timestamp (ms) in Taipei time as `YYYY-MM-DD hh:mm`, which spreadsheets of every language parse; empty for null. */
export function timeCell(at: number | null): Cell {
  return at === null ? "" : `${formatDate(at).replaceAll(".", "-")} ${formatTime(at)}`;
}

/** A code written as a text formula, so that a spreadsheet keeps its leading zeros. */
export function codeCell(code: string): Cell {
  return /^[0-9A-Z]+$/.test(code) ? `="${code}"` : wordCell(code);
}

const quoted = (cell: Cell): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The whole file as text. */
export function csvOf(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heading.map(wordCell), ...rows].map((cells) => cells.map(quoted).join(","));
  return MARK + lines.map((line) => line + LINE_END).join("");
}
