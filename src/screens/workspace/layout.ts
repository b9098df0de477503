/** The workspace's panes and charts: defaults, limits, and the steps from one workspace to the next. */
import type { Workspace, WorkspaceChart, Pane } from "#contract/workspace.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Frame } from "#contract/preference.ts";

/** How many charts a workspace can show. */
export const CHART_COUNTS = ["1", "2", "4"] as const;
export type ChartCount = (typeof CHART_COUNTS)[number];

/** The time frames of a workspace's charts, by place. */
const FRAMES = ["3M", "intraday", "1Y", "1M"] as const satisfies readonly Frame[];

/** From this width on, book and tape have a column of their own beside the ticket. */
export const ROOMY_PX = 1440;

/** The dock collapsed to its tabs. */
export const DOCK_STRIP_PX = 40;

/** The smallest and the largest size of each pane. */
export const LIMITS: Record<Pane, { min: number; max: number }> = {
  list: { min: 200, max: 480 },
  book: { min: 220, max: 420 },
  ticket: { min: 296, max: 480 },
  dock: { min: 104, max: 640 },
};

/** The charts never get narrower or lower than this. */
export const CHARTS_MIN_PX = { width: 360, height: 240 };

/** Height of everything but the dock that a window of one chart with its volume needs. */
const ABOVE_DOCK_PX = 676;

/** The sizes of panes that the member has not changed, for a window. */
export function defaultSizes(width: number, height: number): Record<Pane, number> {
  const roomy = width >= ROOMY_PX;
  return {
    list: roomy ? 288 : 232,
    book: 312,
    ticket: roomy ? 344 : 320,
    dock: Math.min(280, Math.max(LIMITS.dock.min, height - ABOVE_DOCK_PX)),
  };
}

/** The sizes to show: the member's, within the limits; zero stays collapsed. */
export function sizesFor(workspace: Workspace, width: number, height: number): Record<Pane, number> {
  const usual = defaultSizes(width, height);
  const fit = (pane: Pane): number => {
    const size = workspace.sizes[pane];
    if (size === null) return usual[pane];
    return size === 0 ? 0 : Math.min(LIMITS[pane].max, Math.max(LIMITS[pane].min, size));
  };
  return { list: fit("list"), book: fit("book"), ticket: fit("ticket"), dock: fit("dock") };
}

export const DEFAULT_WORKSPACE: Workspace = {
  sizes: { list: null, book: null, ticket: null, dock: null },
  charts: [{ code: null, frame: FRAMES[0] }],
};

function withChart(workspace: Workspace, at: number, change: Partial<WorkspaceChart>): Workspace {
  return { ...workspace, charts: workspace.charts.map((chart, place) => (place === at ? { ...chart, ...change } : chart)) };
}

/** The workspace with another time frame in one chart. */
export const withFrame = (workspace: Workspace, at: number, frame: Frame): Workspace => withChart(workspace, at, { frame });

/** The workspace whose active chart shows an instrument. A single chart follows the address and stores none. */
export function withCode(workspace: Workspace, at: number, code: string): Workspace {
  if (workspace.charts.length === 1 || workspace.charts[at]?.code === code) return workspace;
  return withChart(workspace, at, { code: code as Code });
}

/** The workspace with another number of charts; new ones show the same instrument in another time frame. */
export function withCount(workspace: Workspace, count: ChartCount, code: string): Workspace {
  const wanted = Number(count);
  const charts = Array.from({ length: wanted }, (_, at): WorkspaceChart => {
    const known = workspace.charts[at];
    const frame = known?.frame ?? FRAMES[at] ?? FRAMES[0];
    return { frame, code: wanted === 1 ? null : (known?.code ?? (code as Code)) };
  });
  return { ...workspace, charts };
}

/** The chart that the address belongs to: the member's choice, else the first that shows its instrument. */
export function activeChart({ charts }: Workspace, chosen: number | null, code: string): number {
  if (chosen !== null && chosen < charts.length) return chosen;
  return Math.max(
    0,
    charts.findIndex((chart) => chart.code === code),
  );
}
