/** What a bench reports: rows of figures, each against its budget where it has one. */

export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The most (or, when `least`, the least) it may be. */
  budget?: number;
  least?: boolean;
}

export interface Table {
  title: string;
  figures: Figure[];
}

const digits = (value: number): string => (Number.isInteger(value) || Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(3));

/** Whether a figure keeps its budget; null where it has none. */
export function keeps({ value, budget, least }: Figure): boolean | null {
  if (budget === undefined) return null;
  return least ? value >= budget : value <= budget;
}

function verdict(figure: Figure): string {
  const kept = keeps(figure);
  if (kept === null) return "";
  return `${figure.least ? ">=" : "<="} ${figure.budget}  ${kept ? "kept" : "MISSED"}`;
}

/** A table as aligned text. */
export function written({ title, figures }: Table): string {
  const rows = figures.map((figure) => [figure.what, digits(figure.value), figure.unit, verdict(figure)]);
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1), width(2)];
  const lines = rows.map(([what = "", value = "", unit = "", end = ""]) =>
    `  ${what.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)} ${unit.padEnd(widths[2] ?? 0)}  ${end}`.trimEnd(),
  );
  return [title, ...lines].join("\n");
}
