/** Benchmark report: rows of figures, each against its budget if it has one. */

export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The maximum value (the minimum if `least`). */
  budget?: number;
  least?: boolean;
  /** The row of the budget table it belongs to; figures without one are not in the summary. */
  row?: string;
}

export interface Table {
  title: string;
  figures: Figure[];
}

const digits = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1000 ? value.toFixed(0) : Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(3);

/** Tells whether a figure meets its budget; null if it has none. */
export function meetsBudget({ value, budget, least }: Figure): boolean | null {
  if (budget === undefined) return null;
  return least ? value >= budget : value <= budget;
}

function verdict(figure: Figure): string {
  const kept = meetsBudget(figure);
  if (kept === null) return "";
  return `${figure.least ? ">=" : "<="} ${figure.budget}  ${kept ? "kept" : "MISSED"}`;
}

/** Formats a table as aligned text. */
export function formatTable({ title, figures }: Table): string {
  const rows = figures.map((figure) => [figure.what, digits(figure.value), figure.unit, verdict(figure)]);
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1), width(2)];
  const lines = rows.map(([what = "", value = "", unit = "", end = ""]) =>
    `  ${what.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)} ${unit.padEnd(widths[2] ?? 0)}  ${end}`.trimEnd(),
  );
  return [title, ...lines].join("\n");
}

/** The whole budget table, with the figure measured for each row. */
export function summary(tables: readonly Table[]): Table {
  const figures = tables.flatMap(({ figures }) =>
    figures.flatMap((figure) => (figure.row === undefined ? [] : [{ ...figure, row: figure.row }])),
  );
  const missed = figures.filter((figure) => meetsBudget(figure) === false).length;
  return {
    title: `The budget table: ${figures.length - missed} met, ${missed} missed`,
    figures: figures.map((figure) => ({ ...figure, what: `${figure.row} | ${figure.what}` })),
  };
}
