/** A row under the finger: follows it, says over which place it is, scrolls the list near its edges, and lets go on Esc. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PointerEvent as ReactPointerEvent, RefObject } from "react";
import { edgeScroll, placeDragged } from "./reorder.ts";

export interface Drag {
  scroller: RefObject<HTMLElement | null>;
  rowPx: number;
  rows: number;
  /** The row lifted at `from` is over another place. */
  onMove: (from: number, to: number) => void;
  onDrop: (key: string, from: number, to: number) => void;
  onCancel: () => void;
}

/** What was lifted, and where it stood. */
export interface Lifted {
  key: string;
  from: number;
}

interface Hold {
  pointerId: number;
  /** Where pointer and scroller were when the row was lifted. */
  startY: number;
  startScroll: number;
  y: number;
  to: number;
}

/** Dragging of one row at a time. Give `liftedRow` to the lifted row, and `lift` to the handles. */
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

  /** One frame: scroll if the pointer is near an edge, put the row under it, and tell of a new place. */
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
    const mine = (event: PointerEvent): boolean => event.pointerId === hold.current?.pointerId;
    const movedTo = (event: PointerEvent): void => {
      if (hold.current && mine(event)) hold.current.y = event.clientY;
    };
    const up = (event: PointerEvent): void => {
      if (!mine(event)) return;
      movedTo(event);
      follow(lifted);
      end(lifted, true);
    };
    const cancelled = (event: PointerEvent): void => {
      if (mine(event)) end(lifted, false);
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      end(lifted, false);
    };
    window.addEventListener("pointermove", movedTo);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", cancelled);
    window.addEventListener("keydown", pressed, true);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("pointermove", movedTo);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", cancelled);
      window.removeEventListener("keydown", pressed, true);
    };
  }, [lifted]);
  return { lifted, liftedRow, lift };
}
