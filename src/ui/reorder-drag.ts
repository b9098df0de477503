/** Dragging a list row: it follows the pointer, reports the position below it, scrolls the list near its edges and is cancelled by Esc. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PointerEvent as ReactPointerEvent, RefObject } from "react";
import { edgeScroll, placeDragged } from "./reorder.ts";

export interface Drag {
  scroller: RefObject<HTMLElement | null>;
  rowPx: number;
  rows: number;
  /** The row lifted at `from` is over another position. */
  onMove: (from: number, to: number) => void;
  onDrop: (key: string, from: number, to: number) => void;
  onCancel: () => void;
}

/** The lifted row and its original position. */
export interface Lifted {
  key: string;
  from: number;
}

interface Hold {
  pointerId: number;
  /** Positions of pointer and scroller when the row was lifted. */
  startY: number;
  startScroll: number;
  y: number;
  to: number;
}

/** Drags one row at a time. Attach `liftedRow` to the lifted row, and call `lift` from the handles. */
export function useDraggedRow({ scroller, rowPx, rows, onMove, onDrop, onCancel }: Drag) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const liftedRow = useRef<HTMLDivElement>(null);
  const hold = useRef<Hold | null>(null);

  const lift = (event: ReactPointerEvent<HTMLElement>, key: string, from: number): void => {
    const element = scroller.current;
    if (!event.isPrimary || event.button !== 0 || lifted !== null || !element) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    hold.current = { pointerId: event.pointerId, startY: event.clientY, startScroll: element.scrollTop, y: event.clientY, to: from };
    setLifted({ key, from });
  };

  /** One frame: scroll if the pointer is near an edge, move the row under it, and report a new position. */
  const follow = useEffectEvent(({ from }: Lifted): void => {
    const element = scroller.current;
    const held = hold.current;
    if (!element || !held) return;
    const { top, bottom } = element.getBoundingClientRect();
    element.scrollBy({ top: edgeScroll(held.y, top, bottom) });
    const dragged = held.y - held.startY + element.scrollTop - held.startScroll;
    const px = Math.min(Math.max(dragged, -from * rowPx), (rows - 1 - from) * rowPx);
    if (liftedRow.current) liftedRow.current.style.translate = `0 ${px}px`;
    const to = placeDragged(from, px, rowPx, rows);
    if (to === held.to) return;
    held.to = to;
    onMove(from, to);
  });

  const end = useEffectEvent(({ key, from }: Lifted, dropped: boolean): void => {
    const to = hold.current?.to ?? from;
    hold.current = null;
    if (liftedRow.current) liftedRow.current.style.translate = "";
    setLifted(null);
    if (dropped && to !== from) onDrop(key, from, to);
    else onCancel();
  });

  useEffect(() => {
    if (!lifted) return;
    let frame = 0;
    const loop = (): void => {
      follow(lifted);
      frame = requestAnimationFrame(loop);
    };
    frame = requestAnimationFrame(loop);
    const stopTracking = trackPointer((pointerId) => pointerId === hold.current?.pointerId, {
      onMove: (y) => {
        if (hold.current) hold.current.y = y;
      },
      onUp: () => {
        follow(lifted);
        end(lifted, true);
      },
      onCancel: () => end(lifted, false),
    });
    return () => {
      cancelAnimationFrame(frame);
      stopTracking();
    };
  }, [lifted]);
  return { lifted, liftedRow, lift };
}

interface PointerListeners {
  onMove: (y: number) => void;
  onUp: () => void;
  /** The system took the pointer away, or Esc was pressed. */
  onCancel: () => void;
}

/**
 * Tracks the pointer `isOurs` recognises, wherever it goes on the page.
 * @returns a function that stops it
 */
function trackPointer(isOurs: (pointerId: number) => boolean, { onMove, onUp, onCancel }: PointerListeners): () => void {
  const onPointerMove = (event: PointerEvent): void => {
    if (isOurs(event.pointerId)) onMove(event.clientY);
  };
  const onPointerUp = (event: PointerEvent): void => {
    if (!isOurs(event.pointerId)) return;
    onMove(event.clientY);
    onUp();
  };
  const onPointerCancel = (event: PointerEvent): void => {
    if (isOurs(event.pointerId)) onCancel();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onCancel();
  };
  window.addEventListener("pointermove", onPointerMove);
  window.addEventListener("pointerup", onPointerUp);
  window.addEventListener("pointercancel", onPointerCancel);
  window.addEventListener("keydown", onKeyDown, true);
  return () => {
    window.removeEventListener("pointermove", onPointerMove);
    window.removeEventListener("pointerup", onPointerUp);
    window.removeEventListener("pointercancel", onPointerCancel);
    window.removeEventListener("keydown", onKeyDown, true);
  };
}
