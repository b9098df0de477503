/** A series primitive that draws ex-event marks and reports every redraw of the prices. */
import type { ISeriesPrimitive, IPrimitivePaneView, SeriesAttachedParameter, Time } from "lightweight-charts";

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView["renderer"]>>["draw"]>[0];

const MARK_PX = 5;

/** Attached to the main price series. */
export class Overlays implements ISeriesPrimitive {
  readonly #onDrawn: () => void;
  #to: SeriesAttachedParameter | null = null;
  #marks: readonly Time[] = [];
  #color = "";
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

  #draw(target: Target): void {
    this.#onDrawn();
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
