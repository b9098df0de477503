/** What lies over the candles and is not a series: marks of ex-events, and the word that everything has been drawn anew. */
import type { ISeriesPrimitive, IPrimitivePaneView, SeriesAttachedParameter, Time } from "lightweight-charts";

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView["renderer"]>>["draw"]>[0];

const MARK_PX = 5;

/** A guest of the main series. */
export class Overlays implements ISeriesPrimitive {
  readonly #onDrawn: () => void;
  #to: SeriesAttachedParameter | null = null;
  #marks: readonly Time[] = [];
  #color = "";
  readonly #views: IPrimitivePaneView[] = [{ renderer: () => ({ draw: (target) => this.#draw(target) }) }];

  /** `onDrawn` is called after each drawing of the prices: whatever hangs on them can take its place. */
  constructor(onDrawn: () => void) {
    this.#onDrawn = onDrawn;
  }

  attached(to: SeriesAttachedParameter): void {
    this.#to = to;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /** Put a mark at the foot of these moments' bars. */
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
