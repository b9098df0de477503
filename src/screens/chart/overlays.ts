/** A series primitive that draws marks of ex-events and of executions, and reports every redraw of the prices. */
import type { ISeriesPrimitive, IPrimitivePaneView, SeriesAttachedParameter, Time } from "lightweight-charts";
import type { Palette } from "./palette.ts";

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView["renderer"]>>["draw"]>[0];

const MARK_PX = 5;

/** An execution, at a price as drawn. */
interface Fill {
  time: Time;
  price: number;
  buy: boolean;
}

/** Attached to the main price series. */
export class Overlays implements ISeriesPrimitive {
  readonly #onDrawn: () => void;
  #to: SeriesAttachedParameter | null = null;
  #marks: readonly Time[] = [];
  #color = "";
  #fills: readonly Fill[] = [];
  #tones = { up: "", down: "", surface: "" };
  readonly #views: IPrimitivePaneView[] = [{ renderer: () => ({ draw: (target) => this.#draw(target) }) }];

  /** `onDrawn` is called on each redraw of the prices, so that elements positioned by price can move along. */
  constructor(onDrawn: () => void) {
    this.#onDrawn = onDrawn;
  }

  attached(to: SeriesAttachedParameter): void {
    this.#to = to;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /** Marks the bars at these times at the bottom of the pane. */
  setMarks(marks: readonly Time[], color: string): void {
    this.#marks = marks;
    this.#color = color;
    this.#to?.requestUpdate();
  }

  /** Marks executions: a triangle below the price of a purchase that points up, and above that of a sale that points down. */
  setFills(fills: readonly Fill[], { up, down, surface }: Pick<Palette, "up" | "down" | "surface">): void {
    this.#fills = fills;
    this.#tones = { up, down, surface };
    this.#to?.requestUpdate();
  }

  #drawFills(target: Target): void {
    const { series, chart } = this.#to ?? {};
    if (!series || !chart || this.#fills.length === 0) return;
    target.useMediaCoordinateSpace(({ context }) => {
      context.strokeStyle = this.#tones.surface;
      for (const { time, price, buy } of this.#fills) {
        const x = chart.timeScale().timeToCoordinate(time);
        const y = series.priceToCoordinate(price);
        if (x === null || y === null) continue;
        const down = buy ? 1 : -1;
        context.fillStyle = buy ? this.#tones.up : this.#tones.down;
        context.beginPath();
        context.moveTo(x, y + down);
        context.lineTo(x + MARK_PX, y + down * 2 * MARK_PX);
        context.lineTo(x - MARK_PX, y + down * 2 * MARK_PX);
        context.closePath();
        context.fill();
        context.stroke();
      }
    });
  }

  #draw(target: Target): void {
    this.#onDrawn();
    this.#drawFills(target);
    const scale = this.#to?.chart.timeScale();
    if (!scale || this.#marks.length === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
      context.fillStyle = this.#color;
      for (const mark of this.#marks) {
        const x = scale.timeToCoordinate(mark);
        if (x === null) continue;
        context.beginPath();
        context.moveTo(x, height - 2 * MARK_PX);
        context.lineTo(x + MARK_PX, height - MARK_PX);
        context.lineTo(x, height);
        context.lineTo(x - MARK_PX, height - MARK_PX);
        context.fill();
      }
    });
  }
}
