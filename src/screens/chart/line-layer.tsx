/** The member's lines over the canvas: each has a handle to drag or move by key, and a button adds one at the cursor. */
import { Bell, BellRing, GripHorizontal, Plus } from "lucide-react";
import { useEffect, useImperativeHandle, useRef } from "react";
import type { KeyboardEvent, PointerEvent, Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { step } from "#contract/tick.ts";
import type { Drawing } from "./drawing.ts";
import { snapped } from "./line.ts";
import type { DrawnLine } from "./line.ts";
import type { LineEditor } from "./use-lines.ts";
import type { ChartSubject } from "./chart-spec.ts";
import type { ChartListeners } from "./use-chart.ts";
import styles from "./line-layer.module.css";

interface LineLayerProps {
  subject: Pick<ChartSubject, "kind" | "decimals">;
  editor: LineEditor;
  drawing: Drawing | null;
  /** Opens the list of lines. */
  onOpen: () => void;
  ref: Ref<Pick<ChartListeners, "onDrawn" | "onPointed">>;
}

/** A pointer that moved further than this drags; otherwise it taps. */
const DRAG_PX = 4;
const PAGE_STEPS = 10;
const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: PAGE_STEPS, PageDown: -PAGE_STEPS };

/** Pointer events pass through the layer except on its handles and its button. */
export function LineLayer({ subject, editor, drawing, onOpen, ref }: LineLayerProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const plus = useRef<HTMLButtonElement>(null);
  const hovered = useRef(false);
  const { lines } = editor;
  useEffect(() => drawing?.setLines(lines), [drawing, lines]);
  useImperativeHandle(ref, () => ({
    onDrawn: (by) => {
      for (const handle of host.current?.querySelectorAll<HTMLElement>("[data-price]") ?? []) {
        const y = by.heightOf(Number(handle.dataset.price));
        handle.hidden = y === null;
        if (y !== null) handle.style.translate = `0 ${y}px`;
      }
    },
    onPointed: (y, by) => {
      const button = plus.current;
      // Moving the mouse onto the button leaves the canvas.
      if (!button || (y === null && hovered.current)) return;
      const price = y === null ? null : by.priceAt(y);
      button.hidden = price === null;
      if (price === null || y === null) return;
      button.style.translate = `0 ${y}px`;
      button.dataset.here = String(snapped(subject.kind, price));
    },
  }));
  return (
    <div className={styles.layer} ref={host}>
      {lines.map((line) => (
        <Handle key={line.id} line={line} subject={subject} editor={editor} drawing={drawing} onOpen={onOpen} />
      ))}
      <button
        ref={plus}
        type="button"
        hidden
        className={styles.plus}
        aria-label={t("chart.lines.here")}
        title={t("chart.lines.here")}
        tabIndex={-1}
        onPointerEnter={(event) => {
          hovered.current = event.pointerType === "mouse";
        }}
        onPointerLeave={(event) => {
          // A touch pointer leaves on every tap, so only the mouse hides the button.
          if (hovered.current) event.currentTarget.hidden = true;
          hovered.current = false;
        }}
        onClick={(event) => {
          const price = Number(event.currentTarget.dataset.here);
          event.currentTarget.hidden = true;
          hovered.current = false;
          if (price > 0) editor.add(price);
        }}
      >
        <span>
          <Plus size={16} aria-hidden />
        </span>
      </button>
    </div>
  );
}

interface HandleProps extends Pick<LineLayerProps, "subject" | "editor" | "drawing" | "onOpen"> {
  line: DrawnLine;
}

function Handle({ line, subject, editor, drawing, onOpen }: HandleProps) {
  const { t } = useTranslation();
  const drag = useDrag(line, subject, editor, drawing, onOpen);
  const { id, price, alert } = line;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = STEPS[event.key] ?? 0;
    if (steps !== 0) {
      let to = price;
      for (let at = 0; at < Math.abs(steps); at += 1) to = step(subject.kind, to, steps > 0 ? 1 : -1);
      editor.move(id, to);
    } else if (event.key === "Enter" || event.key === "Delete") onOpen();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const Icon = alert?.status === "waiting" ? Bell : alert?.status === "fired" ? BellRing : GripHorizontal;
  const text = formatPrice(price, subject.decimals);
  return (
    <div
      className={styles.handle}
      data-price={price}
      hidden
      role="slider"
      tabIndex={0}
      aria-label={t("chart.lines.line")}
      aria-orientation="vertical"
      aria-valuenow={price / 10_000}
      aria-valuetext={alert ? t(`chart.lines.${alert.status === "fired" ? "firedAt" : "waitingAt"}`, { price: text }) : text}
      onKeyDown={onKeyDown}
      {...drag}
    >
      <span>
        <Icon size={14} aria-hidden />
      </span>
    </div>
  );
}

/** Drags a line vertically; it is saved where the pointer is released. A tap opens the list. */
function useDrag(line: DrawnLine, { kind }: LineLayerProps["subject"], editor: LineEditor, drawing: Drawing | null, onOpen: () => void) {
  const from = useRef<{ y: number; top: number; price: number } | null>(null);
  const end = (event: PointerEvent<HTMLElement>): void => {
    const start = from.current;
    from.current = null;
    if (!start) return;
    const tapped = event.type === "pointerup" && Math.abs(event.clientY - start.y) <= DRAG_PX;
    if (event.type === "pointerup" && !tapped) {
      editor.move(line.id, start.price);
      return;
    }
    event.currentTarget.dataset.price = String(line.price);
    drawing?.moveLine(line.id, line.price);
    if (tapped) onOpen();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (!event.isPrimary) return;
      const top = drawing?.heightOf(line.price) ?? null;
      if (top === null) return;
      from.current = { y: event.clientY, top, price: line.price };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const start = from.current;
      if (!start || !drawing || Math.abs(event.clientY - start.y) <= DRAG_PX) return;
      const price = drawing.priceAt(start.top + event.clientY - start.y);
      if (price === null) return;
      start.price = snapped(kind, price);
      // The handle follows at the next redraw.
      event.currentTarget.dataset.price = String(start.price);
      drawing.moveLine(line.id, start.price);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
