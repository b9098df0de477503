/** The cells on screen and what each last said, so that a frame carries only those that changed. */
import type { Instrument } from "#contract/instrument.ts";
import { cellText, cellTone, NOTHING, profitText, toneOf } from "./cell-text.ts";
import type { Units } from "./cell-text.ts";
import { CELL_FIELDS, FLASH_SHIFT, QUOTE_CELL_FIELDS, TOTAL } from "#workers/protocol.ts";
import type { ProfitCellField, QuoteCellField } from "#workers/protocol.ts";
import type { ProfitStore } from "./profit-store.ts";
import { LAST } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";

interface Cell {
  id: number;
  /** Code of an instrument, or number of an order. */
  key: string;
  field: number;
  /** Null until it has said anything. */
  text: string | null;
  tone: number;
  /** The price it last showed, to know which way it moved. */
  price: number;
}

const isQuoteField = (field: number): boolean => field < QUOTE_CELL_FIELDS.length;

export class CellDiff {
  readonly #cells = new Map<number, Cell>();
  readonly #byKey = new Map<string, Set<Cell>>();
  readonly #fresh = new Set<Cell>();

  /** `[cellId, key, field index, …]`; a cell mounted again says everything again. */
  mount(flat: readonly (number | string)[]): void {
    for (let at = 0; at + 2 < flat.length; at += 3) {
      const cell: Cell = { id: Number(flat[at]), key: String(flat[at + 1]), field: Number(flat[at + 2]), text: null, tone: 0, price: 0 };
      if (!(cell.field in CELL_FIELDS)) continue;
      this.unmount([cell.id]);
      this.#cells.set(cell.id, cell);
      const beside = this.#byKey.get(cell.key);
      if (beside) beside.add(cell);
      else this.#byKey.set(cell.key, new Set([cell]));
      this.#fresh.add(cell);
    }
  }

  unmount(ids: readonly number[]): void {
    for (const id of ids) {
      const cell = this.#cells.get(id);
      if (!cell) continue;
      this.#cells.delete(id);
      this.#fresh.delete(cell);
      const beside = this.#byKey.get(cell.key);
      beside?.delete(cell);
      if (beside?.size === 0) this.#byKey.delete(cell.key);
    }
  }

  /** Everything says itself again: the table behind it is another one. */
  renew(): void {
    for (const cell of this.#cells.values()) {
      cell.text = null;
      this.#fresh.add(cell);
    }
  }

  get anyFresh(): boolean {
    return this.#fresh.size > 0;
  }

  /** The codes (and order numbers) that have cells. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Whether any cell shows a profit. */
  showsProfit(book: ProfitStore): boolean {
    for (const key of this.#byKey.keys()) if (key === TOTAL || book.has(key)) return true;
    return false;
  }

  /** Append `[cellId, text, bits]` of every quote cell that says something new. */
  collectQuotes(out: (number | string)[], table: QuoteTable, rowOf: (code: string) => Instrument | undefined, units: Units): void {
    for (const [key, cells] of this.#byKey) {
      const instrument = rowOf(key);
      if (instrument === undefined) continue;
      const changed = table.isMarked(instrument.row);
      for (const cell of cells) {
        if (!isQuoteField(cell.field) || (!changed && !this.#fresh.has(cell))) continue;
        this.#fresh.delete(cell);
        const field = CELL_FIELDS[cell.field] as QuoteCellField;
        const text = cellText(field, table, instrument.row, instrument, units);
        const price = field === "last" ? table.get(instrument.row, LAST) : 0;
        say(out, cell, text, cellTone(field, table, instrument.row), price);
      }
    }
  }

  /** Append `[cellId, text, bits]` of every profit cell that says something new. */
  collectProfits(out: (number | string)[], book: ProfitStore): void {
    for (const [key, cells] of this.#byKey) {
      if (key !== TOTAL && !book.has(key)) continue;
      const of = key === TOTAL ? book.sum() : book.profitOf(key);
      for (const cell of cells) {
        if (isQuoteField(cell.field)) continue;
        this.#fresh.delete(cell);
        const field = CELL_FIELDS[cell.field] as ProfitCellField;
        const coloured = field === "profit" || field === "returnRate";
        say(out, cell, profitText(field, of), coloured && of ? toneOf(of.profitCents) : 0, 0);
      }
    }
  }
}

/** Say what is new about a cell. The first price a cell shows does not flash, nor does one that came out of nothing. */
function say(out: (number | string)[], cell: Cell, text: string, tone: number, price: number): void {
  const flash = cell.text === null || cell.text === NOTHING || cell.price === 0 || price === 0 ? 0 : toneOf(price - cell.price);
  cell.price = price;
  if (cell.text === text && cell.tone === tone) return;
  cell.text = text;
  cell.tone = tone;
  out.push(cell.id, text, tone | (flash << FLASH_SHIFT));
}
