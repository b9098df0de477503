/** Tests that shapes leave a chart quietly: a chart that was removed before them draws on canvases that are gone when it is asked to. */
// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { ShapeOverlay } from "#src/screens/chart/shape-overlay.ts";

/** A chart's element, its prices, and an overlay that draws on them. */
function shown() {
  const element = document.createElement("div");
  document.body.append(element);
  const series = { attachPrimitive: vi.fn(), detachPrimitive: vi.fn() };
  const parts = { chart: { chartElement: () => element }, series };
  const overlay = new ShapeOverlay(parts as unknown as ConstructorParameters<typeof ShapeOverlay>[0], 2);
  const requestUpdate = vi.fn();
  const stop = overlay.start({} as never, () => undefined);
  overlay.attached({ requestUpdate } as never);
  return { element, series, overlay, requestUpdate, stop };
}

test("a chart that was removed first is not asked to draw again", () => {
  const { element, series, overlay, requestUpdate, stop } = shown();
  // What the library does with its element when a chart is removed.
  element.remove();
  stop();
  overlay.set([], null);
  expect(series.detachPrimitive).not.toHaveBeenCalled();
  expect(requestUpdate).not.toHaveBeenCalled();
});

test("a chart that stays is freed of the shapes", () => {
  const { series, overlay, stop } = shown();
  stop();
  expect(series.detachPrimitive).toHaveBeenCalledWith(overlay);
});
