/** The cells on screen with the text each last sent, so that a frame carries only changed cells. */
import type { Instrument } from "#contract/instrument.ts";
import { cellText, cellTone, NOTHING, profitText, toneOf } from "./cell-text.ts";
import { CELL_FIELDS, FLASH_SHIFT, QUOTE_CELL_FIELDS, TOTAL } from "#workers/protocol.ts";
import type { ProfitCellField, ProfitSum, QuoteCellField } from "#workers/protocol.ts";
import type { ProfitStore } from "./profit-store.ts";
import { LAST } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";
import type { Units } from "#workers/short-number.ts";

interface Cell {
  id: number;
  /** Code of an instrument, number of an order, or id of a position. */
  key: string;
  field: number;
  /** Null until the first text was sent. */
  text: string | null;
  tone: number;
  /** The price last shown, to determine the flash direction. */
  price: number;
}

const isQuoteField = (field: number): boolean => field < QUOTE_CELL_FIELDS.length;

export class CellDiff {
  readonly #cells = new Map<number, Cell>();
  readonly #byKey = new Map<string, Set<Cell>>();
  readonly #unsent = new Set<Cell>();

  /** Takes `[cellId, key, field index, …]`; a remounted cell is sent in full again. */
  mount(flat: readonly (number | string)[]): void {
    for (let at = 0; at + 2 < flat.length; at += 3) {
      const cell: Cell = { id: Number(flat[at]), key: String(flat[at + 1]), field: Number(flat[at + 2]), text: null, tone: 0, price: 0 };
      if (!(cell.field in CELL_FIELDS)) continue;
      this.unmount([cell.id]);
      this.#cells.set(cell.id, cell);
      const siblings = this.#byKey.get(cell.key);
      if (siblings) siblings.add(cell);
      else this.#byKey.set(cell.key, new Set([cell]));
      this.#unsent.add(cell);
    }
  }

  unmount(ids: readonly number[]): void {
    for (const id of ids) {
      const cell = this.#cells.get(id);
      if (!cell) continue;
      this.#cells.delete(id);
      this.#unsent.delete(cell);
      const siblings = this.#byKey.get(cell.key);
      siblings?.delete(cell);
      if (siblings?.size === 0) this.#byKey.delete(cell.key);
    }
  }

  /** Marks every cell as unsent, because the table was replaced. */
  markAllUnsent(): void {
    for (const cell of this.#cells.values()) {
      cell.text = null;
      this.#unsent.add(cell);
    }
  }

  get anyUnsent(): boolean {
    return this.#unsent.size > 0;
  }

  /** The codes (and order numbers and position ids) that have cells. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Tells whether any cell shows a profit. */
  showsProfit(profits: ProfitStore): boolean {
    for (const key of this.#byKey.keys()) if (key === TOTAL || profits.has(key)) return true;
    return false;
  }

  /** Appends `[cellId, text, bits]` of every changed quote cell. */
  collectQuotes(out: (number | string)[], table: QuoteTable, rowOf: (code: string) => Instrument | undefined, units: Units): void {
    for (const [key, cells] of this.#byKey) {
      const instrument = rowOf(key);
      if (instrument === undefined) continue;
      const changed = table.isMarked(instrument.row);
      for (const cell of cells) {
        if (!isQuoteField(cell.field) || (!changed && !this.#unsent.has(cell))) continue;
        this.#unsent.delete(cell);
        const field = CELL_FIELDS[cell.field] as QuoteCellField;
        const text = cellText(field, table, instrument.row, instrument, units);
        const price = field === "last" ? table.get(instrument.row, LAST) : 0;
        emitCell(out, cell, text, cellTone(field, table, instrument.row), price);
      }
    }
  }

  /** Appends `[cellId, text, bits]` of every changed profit cell. */
  collectProfits(out: (number | string)[], profits: ProfitStore): void {
    for (const [key, cells] of this.#byKey) {
      if (key !== TOTAL && !profits.has(key)) continue;
      const of = key === TOTAL ? pricedTotal(profits.sum()) : profits.profitOf(key);
      for (const cell of cells) {
        if (isQuoteField(cell.field)) continue;
        this.#unsent.delete(cell);
        const field = CELL_FIELDS[cell.field] as ProfitCellField;
        const colored = field === "profit" || field === "returnRate";
        emitCell(out, cell, profitText(field, of), colored && of ? toneOf(of.profitCents) : 0, 0);
      }
    }
  }
}

/** The total as cells show it: null while none of the positions has a price, because their sum would read as zero. */
function pricedTotal(sum: ProfitSum | null): ProfitSum | null {
  return sum === null || (sum.priced === 0 && sum.unpriced > 0) ? null : sum;
}

/** Appends a cell if it changed. A cell's first price does not flash, nor does a price that follows `--`. */
function emitCell(out: (number | string)[], cell: Cell, text: string, tone: number, price: number): void {
  const flash = cell.text === null || cell.text === NOTHING || cell.price === 0 || price === 0 ? 0 : toneOf(price - cell.price);
  cell.price = price;
  if (cell.text === text && cell.tone === tone) return;
  cell.text = text;
  cell.tone = tone;
  out.push(cell.id, text, tone | (flash << FLASH_SHIFT));
}
