/** Places the elements over a chart that stand for points of shapes. */
import type { Spot } from "./shape.ts";
import type { ShapeOverlay } from "./shape-overlay.ts";

/** Moves an element to the point it names; it is hidden while that lies outside the price pane. */
export function place(element: HTMLElement, overlay: ShapeOverlay): void {
  const { x, y } = overlay.spotOf({ at: Number(element.dataset.at), price: Number(element.dataset.price) });
  const { width, height } = overlay.size();
  element.hidden = !(x >= 0 && x <= width && y >= 0 && y <= height);
  element.style.translate = `${x}px ${y}px`;
}

/** The spot of a pointer in an element. */
export function spotIn(element: Element, { clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">): Spot {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
