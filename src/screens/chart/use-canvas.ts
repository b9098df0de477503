/** Draws a chart's data on an element: loads the drawing library, and follows the palette and the day's levels. */
import { useEffect, useEffectEvent, useState } from "react";
import type { RefObject } from "react";
import type { ChartData } from "./chart-data.ts";
import type { ChartSpec } from "./chart-spec.ts";
import type { Drawing } from "./drawing.ts";
import { onRepaint, paletteOf } from "./palette.ts";
import type { Words } from "./study-values.ts";

/** What happens on a drawing. */
export interface CanvasEvents {
  /** The pointer is over the bar at `place` (null: over none), at this y of the price pane (null: outside it). */
  onCursor: (place: number | null, y: number | null, by: Drawing) => void;
  /** Prices and times may have moved on screen. */
  onDrawn: (by: Drawing) => void;
  /** The library's module failed to load: a new release, or no connection. */
  onFailed: () => void;
}

/** The drawing, null until its module has loaded. `model` holds its data when this hook's effects run. */
export function useCanvas(
  { subject, view }: ChartSpec,
  { decimals, lots }: Pick<Words, "decimals" | "lots">,
  host: RefObject<HTMLElement | null>,
  model: RefObject<ChartData | null>,
  on: CanvasEvents,
): Drawing | null {
  const { reference, limits } = subject;
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const latest = useEffectEvent(() => on);
  const draw = useEffectEvent((Canvas: typeof Drawing, element: HTMLElement, known: ChartData): Drawing => {
    const made: Drawing = new Canvas(element, {
      shape: view.shape,
      period: view.period,
      decimals,
      lots,
      palette: paletteOf(element),
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
      onCursor: (place, y) => latest().onCursor(place, y, made),
      onNearStart: () => known.nearStart(),
      onDrawn: () => latest().onDrawn(made),
    });
    return made;
  });
  useEffect(() => {
    const element = host.current;
    const known = model.current;
    if (!element || !known) return;
    let canvas: Drawing | null = null;
    const stopRepaint = onRepaint(() => canvas?.paint(paletteOf(element)));
    import("./drawing.ts").then(
      (library) => {
        if (model.current !== known) return;
        canvas = draw(library.Drawing, element, known);
        known.attach(canvas);
        setDrawing(canvas);
      },
      () => latest().onFailed(),
    );
    return () => {
      stopRepaint();
      canvas?.destroy();
      setDrawing(null);
    };
  }, [host, model]);
  useEffect(() => drawing?.setDay({ reference, limits }), [drawing, reference, limits]);
  return drawing;
}
