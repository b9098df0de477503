/** A series primitive that draws the member's shapes over the prices. */
import type { IPrimitivePaneView, ISeriesPrimitive, Logical, SeriesAttachedParameter } from "lightweight-charts";
import { formatPrice } from "#contract/kernel/money.ts";
import type { ChartPoint, ChartShape } from "#contract/preference.ts";
import type { Drawing } from "./drawing.ts";
import type { Palette } from "./palette.ts";
import { distanceTo, fibonacciLevels, logicalOf, momentAt, outlineOf } from "./shape.ts";
import type { Outline, Spot } from "./shape.ts";

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView["renderer"]>>["draw"]>[0];

/** A shape as drawn; the one being drawn has no identity yet. */
export type DrawnShape = Omit<ChartShape, "id"> & { id: string };

/** A tap this close to a line hits it. */
const HIT_PX = 12;
const FILL_OPACITY = 0.12;
const LABEL_GAP_PX = 3;
const LABEL_PX = 12;

/** Attached to the price series of a drawing. */
export class ShapeOverlay implements ISeriesPrimitive {
  readonly #parts: Drawing["parts"];
  readonly #decimals: number;
  #onDrawn = (): void => {};
  #to: SeriesAttachedParameter | null = null;
  #shapes: readonly DrawnShape[] = [];
  #selected: string | null = null;
  #palette: Palette | null = null;
  readonly #views: IPrimitivePaneView[] = [{ renderer: () => ({ draw: (target) => this.#draw(target) }) }];

  constructor(parts: Drawing["parts"], decimals: number) {
    this.#parts = parts;
    this.#decimals = decimals;
  }

  /** Draws until the returned function is called. `onDrawn` is called on each redraw, so that the handles can move along. */
  start(palette: Palette, onDrawn: () => void): () => void {
    this.#palette = palette;
    this.#onDrawn = onDrawn;
    const { chart, series } = this.#parts;
    series.attachPrimitive(this);
    return () => {
      // A chart that was removed meanwhile must not be asked to draw: it would do so on canvases that are gone.
      if (chart.chartElement().isConnected) series.detachPrimitive(this);
      else this.detached();
    };
  }

  attached(to: SeriesAttachedParameter): void {
    this.#to = to;
  }

  detached(): void {
    this.#to = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /** Draws exactly these shapes. */
  set(shapes: readonly DrawnShape[], selected: string | null): void {
    this.#shapes = shapes;
    this.#selected = selected;
    this.#to?.requestUpdate();
  }

  /** Draws one of them elsewhere while it is dragged. */
  move(moved: DrawnShape): void {
    this.set(
      this.#shapes.map((shape) => (shape.id === moved.id ? moved : shape)),
      this.#selected,
    );
  }

  paint(palette: Palette): void {
    this.#palette = palette;
    this.#to?.requestUpdate();
  }

  /** The size of the price pane without its axis. */
  size(): { width: number; height: number } {
    const { chart } = this.#parts;
    return { width: chart.timeScale().width(), height: chart.panes()[0]?.getHeight() ?? 0 };
  }

  /** Where a point lies; possibly outside the pane. */
  spotOf({ at, price }: ChartPoint): Spot {
    const { series, axis, bars } = this.#parts;
    const { start, step } = this.#scale();
    return { x: start + logicalOf(bars(), at) * step, y: series.priceToCoordinate(axis.drawn(price)) ?? NaN };
  }

  /** The point at a spot, its price in ten-thousandths; null while nothing is drawn. */
  pointAt({ x, y }: Spot): ChartPoint | null {
    const { series, axis, bars } = this.#parts;
    const { start, step } = this.#scale();
    const price = series.coordinateToPrice(y);
    if (price === null || !(step > 0) || bars().length === 0) return null;
    return { at: momentAt(bars(), (x - start) / step), price: axis.unitsOf(price) };
  }

  /** A point some bars later, or earlier. */
  later(point: ChartPoint, by: number): ChartPoint {
    const bars = this.#parts.bars();
    return { ...point, at: momentAt(bars, Math.round(logicalOf(bars, point.at)) + by) };
  }

  /** The topmost shape at a spot. */
  hit(spot: Spot): string | null {
    const { height } = this.size();
    if (spot.y > height) return null;
    const near = this.#shapes.findLast((shape) => this.#outline(shape).lines.some((line) => distanceTo(spot, line) <= HIT_PX));
    return near?.id ?? null;
  }

  #scale(): { start: number; step: number } {
    const scale = this.#parts.chart.timeScale();
    const start = scale.logicalToCoordinate(0 as Logical) ?? NaN;
    return { start, step: (scale.logicalToCoordinate(1 as Logical) ?? NaN) - start };
  }

  #outline(shape: DrawnShape): Outline {
    const { width, height } = this.size();
    return outlineOf(shape, (point) => this.spotOf(point), width, height);
  }

  #draw(target: Target): void {
    this.#onDrawn();
    const palette = this.#palette;
    if (!palette || this.#shapes.length === 0 || this.#parts.bars().length === 0) return;
    target.useMediaCoordinateSpace(({ context }) => {
      for (const shape of this.#shapes) this.#drawShape(context, shape, palette);
    });
  }

  #drawShape(context: CanvasRenderingContext2D, shape: DrawnShape, palette: Palette): void {
    const { accent } = palette;
    const outline = this.#outline(shape);
    const { lines, points } = outline;
    context.strokeStyle = accent;
    context.lineWidth = shape.id === this.#selected ? 2.5 : 1.5;
    context.beginPath();
    for (const [from, to] of lines) {
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    context.stroke();
    const [from, to] = points;
    if (shape.kind === "rectangle") {
      context.fillStyle = accent;
      context.globalAlpha = FILL_OPACITY;
      context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
      context.globalAlpha = 1;
    }
    if (shape.kind === "fibonacci") this.#drawLevels(context, shape, outline, palette);
  }

  /** The move itself, dashed, and the share and the price of each level. */
  #drawLevels(context: CanvasRenderingContext2D, shape: DrawnShape, { lines, points: [from, to] }: Outline, palette: Palette): void {
    const { accent, flat, font, surface } = palette;
    context.setLineDash([4, 4]);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.strokeStyle = accent;
    context.stroke();
    context.setLineDash([]);
    context.font = `11px ${font}`;
    context.textBaseline = "bottom";
    context.fillStyle = flat;
    context.strokeStyle = surface;
    context.lineWidth = 3;
    const { width } = this.size();
    let above: number | null = null;
    fibonacciLevels(shape).forEach(({ level, price }, at) => {
      const line = lines[at];
      // Labels never cover each other.
      if (!line || (above !== null && Math.abs(line[0].y - above) < LABEL_PX)) return;
      const [{ x, y }] = line;
      above = y;
      const text = `${level / 10}%  ${formatPrice(price, this.#decimals)}`;
      const start = Math.max(0, Math.min(x, width - context.measureText(text).width - 2 * LABEL_GAP_PX)) + LABEL_GAP_PX;
      context.strokeText(text, start, y - 1);
      context.fillText(text, start, y - 1);
    });
  }
}
