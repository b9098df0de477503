/** The desk's panes and charts: defaults, limits, and the steps from one desk to the next. */
import type { Desk, DeskChart, Pane } from "#contract/desk.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Frame } from "#contract/preference.ts";

/** How many charts a desk can show. */
export const CHART_COUNTS = ["1", "2", "4"] as const;
export type ChartCount = (typeof CHART_COUNTS)[number];

/** The time frames of a desk's charts, by place. */
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
    book: 264,
    ticket: roomy ? 344 : 320,
    dock: Math.min(280, Math.max(LIMITS.dock.min, height - ABOVE_DOCK_PX)),
  };
}

/** The sizes to show: the member's, within the limits; zero stays collapsed. */
export function sizesFor(desk: Desk, width: number, height: number): Record<Pane, number> {
  const usual = defaultSizes(width, height);
  const fit = (pane: Pane): number => {
    const size = desk.sizes[pane];
    if (size === null) return usual[pane];
    return size === 0 ? 0 : Math.min(LIMITS[pane].max, Math.max(LIMITS[pane].min, size));
  };
  return { list: fit("list"), book: fit("book"), ticket: fit("ticket"), dock: fit("dock") };
}

export const DEFAULT_DESK: Desk = {
  sizes: { list: null, book: null, ticket: null, dock: null },
  charts: [{ code: null, frame: FRAMES[0] }],
};

function withChart(desk: Desk, at: number, change: Partial<DeskChart>): Desk {
  return { ...desk, charts: desk.charts.map((chart, place) => (place === at ? { ...chart, ...change } : chart)) };
}

/** The desk with another time frame in one chart. */
export const withFrame = (desk: Desk, at: number, frame: Frame): Desk => withChart(desk, at, { frame });

/** The desk whose active chart shows an instrument. A single chart follows the address and stores none. */
export function withCode(desk: Desk, at: number, code: string): Desk {
  if (desk.charts.length === 1 || desk.charts[at]?.code === code) return desk;
  return withChart(desk, at, { code: code as Code });
}

/** The desk with another number of charts; new ones show the same instrument in another time frame. */
export function withCount(desk: Desk, count: ChartCount, code: string): Desk {
  const wanted = Number(count);
  const charts = Array.from({ length: wanted }, (_, at): DeskChart => {
    const known = desk.charts[at];
    const frame = known?.frame ?? FRAMES[at] ?? FRAMES[0];
    return { frame, code: wanted === 1 ? null : (known?.code ?? (code as Code)) };
  });
  return { ...desk, charts };
}

/** The chart that the address belongs to: the member's choice, else the first that shows its instrument. */
export function activeChart({ charts }: Desk, chosen: number | null, code: string): number {
  if (chosen !== null && chosen < charts.length) return chosen;
  return Math.max(
    0,
    charts.findIndex((chart) => chart.code === code),
  );
}
