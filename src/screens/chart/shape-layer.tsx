/** The member's shapes on the canvas: two taps draw one, a tap selects one, and its handles move its points. */
import { Pencil, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ChartPoint, ChartShape, ShapeKind } from "#contract/preference.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import type { ChartSubject } from "./chart-spec.ts";
import type { Drawing } from "./drawing.ts";
import { snapped } from "./line.ts";
import { ENDS, Handle } from "./shape-handle.tsx";
import { place, spotIn } from "./shape-place.ts";
import { PickButton, ShapeBar } from "./shape-bar.tsx";
import { useUndoKeys } from "./undo-keys.ts";
import { onRepaint, paletteOf } from "./palette.ts";
import { ShapeOverlay } from "./shape-overlay.ts";
import type { Spot } from "./shape.ts";
import { useShapeEditor } from "./use-shapes.ts";
import type { ShapeEditor } from "./use-shapes.ts";
import styles from "./shape-layer.module.css";

export interface ShapeLayerProps {
  subject: Pick<ChartSubject, "code" | "kind" | "decimals">;
  drawing: Drawing;
  /** The tool in use; null for none. */
  tool: ShapeKind | null;
  onTool: (tool: ShapeKind | null) => void;
  /** Opens the list of lines and shapes. */
  onOpen: () => void;
}

/** A pointer that moved further than this drags; otherwise it taps. */
const DRAG_PX = 6;
/** The height of the bar with two lines of text. */
const BAR_PX = 48;
/** Where a shape starts whose points are typed: at these parts of the pane's width. */
const TYPED_FROM = 0.3;
const TYPED_TO = 0.7;

/** Pointer events pass through, except on handles, on the bar, and everywhere while a tool is in use. */
export function ShapeLayer({ subject, drawing, tool, onTool, onOpen }: ShapeLayerProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useShapeEditor(subject.code);
  const overlay = useOverlay(host, drawing, subject.decimals);
  const { selected, setSelected, removed, setRemoved, said, back } = useSelection(editor);
  const { shapes } = editor;
  const shape = shapes.find(({ id }) => id === selected);
  useEffect(() => overlay.set(shapes, selected), [overlay, shapes, selected]);
  useTaps(host, (spot) => {
    if (tool === null) setSelected(overlay.hit(spot));
    setRemoved(false);
  });
  useUndoKeys(host, subject.code, back);
  const draw = (kind: ShapeKind, from: ChartPoint, to: ChartPoint): void => {
    setSelected(editor.add({ kind, from, to }));
    onTool(null);
  };
  const onTick = (point: ChartPoint): ChartPoint => ({ ...point, price: snapped(subject.kind, point.price) });
  return (
    <div className={styles.layer} ref={host}>
      {tool !== null && (
        <Sketch
          key={tool}
          tool={tool}
          overlay={overlay}
          shapes={shapes}
          onTick={onTick}
          onDraw={(from, to) => draw(tool, from, to)}
          onCancel={() => onTool(null)}
          onType={(from, to) => {
            draw(tool, from, to);
            onOpen();
          }}
        />
      )}
      {tool === null &&
        shapes.map((one) =>
          one.id === selected ? (
            ENDS.map((end) => (
              <Handle key={`${one.id} ${end}`} shape={one} end={end} subject={subject} overlay={overlay} onMoved={editor.change} />
            ))
          ) : (
            <PickButton key={one.id} shape={one} decimals={subject.decimals} overlay={overlay} onPick={() => setSelected(one.id)} />
          ),
        )}
      {tool === null && (shape ?? removed) && (
        <ShapeBar
          shape={shape}
          decimals={subject.decimals}
          editor={editor}
          onOpen={onOpen}
          onRemoved={() => setRemoved(true)}
          onStep={back}
        />
      )}
      <Hidden>
        <span role="status">{said}</span>
      </Hidden>
    </div>
  );
}

/** The selected shape, and what undo and redo do to the selection and announce. */
function useSelection(editor: ShapeEditor) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<string | null>(null);
  /** The bar stays when its shape was removed, so that this can be undone there. */
  const [removed, setRemoved] = useState(false);
  const [said, setSaid] = useState("");
  const back = (by: "undo" | "redo"): void => {
    const id = editor[by]();
    if (id === null) return;
    setSelected(id);
    setRemoved(true);
    const text = t(by === "undo" ? "chart.shapes.undone" : "chart.shapes.redone");
    // The same text again is announced only when it differs.
    setSaid((before) => (before === text ? `${text} ` : text));
  };
  return { selected, setSelected, removed, setRemoved, said, back };
}

/** The overlay of a drawing; it moves the handles with every redraw. */
function useOverlay(host: RefObject<HTMLDivElement | null>, drawing: Drawing, decimals: number): ShapeOverlay {
  const [overlay] = useState(() => new ShapeOverlay(drawing.parts, decimals));
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const stop = overlay.start(paletteOf(element), () => follow(element, overlay));
    const stopRepaint = onRepaint(() => overlay.paint(paletteOf(element)));
    return () => {
      stopRepaint();
      stop();
    };
  }, [host, overlay]);
  return overlay;
}

/** Moves the handles to their points, and fits the layer to the price pane. */
function follow(element: HTMLElement, overlay: ShapeOverlay): void {
  const { width, height } = overlay.size();
  element.style.inlineSize = `${width}px`;
  element.style.blockSize = `${height}px`;
  // Below the prices, where no point is set; without panes there, as low as it can be.
  const lowest = (element.parentElement?.clientHeight ?? 0) - BAR_PX;
  element.style.setProperty("--bar", `${Math.min(height, lowest)}px`);
  for (const handle of element.querySelectorAll<HTMLElement>("[data-at]")) place(handle, overlay);
}

/** Calls back with the spot of every tap on the canvas; the drawing library keeps the clicks of a touch to itself. */
function useTaps(host: RefObject<HTMLDivElement | null>, onTap: (spot: Spot) => void): void {
  const tapped = useEffectEvent(onTap);
  useEffect(() => {
    const around = host.current?.parentElement;
    if (!around) return;
    let down: Spot | null = null;
    const press = (event: PointerEvent): void => {
      down = event.isPrimary && event.target instanceof HTMLCanvasElement ? { x: event.clientX, y: event.clientY } : null;
    };
    const release = (event: PointerEvent): void => {
      if (!down || !host.current || Math.hypot(event.clientX - down.x, event.clientY - down.y) > DRAG_PX) return;
      tapped(spotIn(host.current, event));
    };
    around.addEventListener("pointerdown", press);
    around.addEventListener("pointerup", release);
    return () => {
      around.removeEventListener("pointerdown", press);
      around.removeEventListener("pointerup", release);
    };
  }, [host]);
}

interface SketchProps {
  tool: ShapeKind;
  overlay: ShapeOverlay;
  shapes: readonly ChartShape[];
  onTick: (point: ChartPoint) => ChartPoint;
  onDraw: (from: ChartPoint, to: ChartPoint) => void;
  onCancel: () => void;
  /** Draws it somewhere in view, to have its points typed. */
  onType: (from: ChartPoint, to: ChartPoint) => void;
}

/** Takes the two points: two taps, or one drag. */
function Sketch({ tool, overlay, shapes, onTick, onDraw, onCancel, onType }: SketchProps) {
  const { t } = useTranslation();
  const [first, setFirst] = useState<ChartPoint | null>(null);
  const pressed = useRef<{ spot: Spot; point: ChartPoint } | null>(null);
  const pointAt = (spot: Spot): ChartPoint | null => {
    const point = overlay.pointAt(spot);
    return point && onTick(point);
  };
  const preview = (from: ChartPoint, to: ChartPoint): void => overlay.set([...shapes, { id: "sketch", kind: tool, from, to }], "sketch");
  const leave = useEffectEvent(() => overlay.set(shapes, null));
  useEffect(() => () => leave(), []);
  const type = (): void => {
    const { width, height } = overlay.size();
    const [from, to] = [pointAt({ x: width * TYPED_FROM, y: height * TYPED_TO }), pointAt({ x: width * TYPED_TO, y: height * TYPED_FROM })];
    if (from && to) onType(from, to);
  };
  return (
    <>
      <div
        className={styles.pad}
        data-tool={tool}
        onPointerDown={(event) => {
          const spot = spotIn(event.currentTarget, event);
          const point = event.isPrimary ? pointAt(spot) : null;
          pressed.current = point && { spot, point };
          if (point) event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const from = first ?? pressed.current?.point;
          const to = pointAt(spotIn(event.currentTarget, event));
          if (from && to) preview(from, to);
        }}
        onPointerUp={(event) => {
          const start = pressed.current;
          pressed.current = null;
          const spot = spotIn(event.currentTarget, event);
          const point = pointAt(spot);
          if (!start || !point) return;
          const dragged = Math.hypot(spot.x - start.spot.x, spot.y - start.spot.y) > DRAG_PX;
          const from = first ?? (dragged ? start.point : null);
          if (from) onDraw(from, point);
          else setFirst(point);
        }}
        onPointerCancel={() => {
          pressed.current = null;
        }}
      />
      {first && (
        <div
          ref={(element) => {
            if (element) place(element, overlay);
          }}
          className={styles.handle}
          data-at={first.at}
          data-price={first.price}
          data-set
          aria-hidden
        />
      )}
      <div className={styles.bar} onKeyDown={(event) => event.key === "Escape" && onCancel()}>
        <p role="status">{t(first ? "chart.shapes.second" : "chart.shapes.first", { kind: t(`chart.shapes.kind.${tool}`) })}</p>
        <IconButton label={t("chart.shapes.type")} icon={<Pencil size={20} aria-hidden />} onClick={type} />
        <IconButton label={t("chart.shapes.cancel")} icon={<X size={20} aria-hidden />} onClick={onCancel} />
      </div>
    </>
  );
}
