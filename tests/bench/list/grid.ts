/**
 * The list benchmark's AG Grid community page: the same rows without groups (not in the community edition), flashes or sorting, with the
 * grid's own virtualisation, a worker that reads and formats, and one transaction per batch.
 */
import {
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  createGrid,
  ModuleRegistry,
  RowApiModule,
  CellStyleModule,
} from "ag-grid-community";
import type { GridApi } from "ag-grid-community";

/** A grid row with formatted texts. */
export interface GridRow {
  row: number;
  code: string;
  name: string;
  last: string;
  change: string;
  volume: string;
  tone: "up" | "down" | "flat";
}

/** From the worker: all rows once, then the changed ones. */
export type GridMessage = { rows: GridRow[] } | { changed: GridRow[] };

const ROW_PX = 44;
const COLORS = { up: "#c0262d", down: "#0a7f4f", flat: "inherit" };

ModuleRegistry.registerModules([ClientSideRowModelModule, ClientSideRowModelApiModule, RowApiModule, CellStyleModule]);

const toned = ({ data }: { data: GridRow | undefined }): { color: string } => ({ color: COLORS[data?.tone ?? "flat"] });

function start(rows: GridRow[]): GridApi<GridRow> {
  const place = document.getElementById("app");
  if (!place) throw new Error("the page has no #app");
  return createGrid<GridRow>(place, {
    rowData: rows,
    rowHeight: ROW_PX,
    getRowId: ({ data }) => data.code,
    columnDefs: [
      { field: "name", flex: 2 },
      { field: "code", width: 80 },
      { field: "last", width: 90, cellStyle: toned },
      { field: "change", width: 120, cellStyle: toned },
      { field: "volume", width: 80 },
    ],
    defaultColDef: { sortable: false, suppressMovable: true, resizable: false },
    animateRows: false,
    suppressCellFocus: true,
  });
}

const worker = new Worker(new URL("/tests/bench/list/grid.worker.ts", import.meta.url), { type: "module" });
worker.postMessage({ everyMs: Number(new URLSearchParams(location.search).get("every") ?? 50) });
let grid: GridApi<GridRow> | null = null;
worker.addEventListener("message", ({ data }: MessageEvent<GridMessage>) => {
  if ("rows" in data) grid = start(data.rows);
  // A batch is already one transaction; the grid's own batching would do the same with single ticks.
  else grid?.applyTransaction({ update: data.changed });
});
