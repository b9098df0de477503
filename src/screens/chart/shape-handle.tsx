/** A point of the selected shape: dragged, or moved by the arrow keys. */
import { useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { ChartPoint, ChartShape } from "#contract/preference.ts";
import { step } from "#contract/tick.ts";
import type { ChartSubject } from "./chart-spec.ts";
import { snapped } from "./line.ts";
import { place, spotIn } from "./shape-place.ts";
import type { ShapeOverlay } from "./shape-overlay.ts";
import { shapeName } from "./use-shapes.ts";
import styles from "./shape-layer.module.css";

export const ENDS = ["from", "to"] as const;
type End = (typeof ENDS)[number];

interface HandleProps {
  shape: ChartShape;
  end: End;
  subject: Pick<ChartSubject, "kind" | "decimals">;
  overlay: ShapeOverlay;
  onMoved: (shape: ChartShape) => void;
}

/** Bars to the right, and ticks up. */
const KEYS: Record<string, readonly [bars: number, ticks: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 10],
  PageDown: [0, -10],
};

/** It is saved when the pointer or the key is released; the list of shapes does the same by typing. */
export function Handle({ shape, end, subject, overlay, onMoved }: HandleProps) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<ChartPoint | null>(null);
  const point = moved ?? shape[end];
  useLayoutEffect(() => {
    if (element.current) place(element.current, overlay);
  });
  const move = (to: ChartPoint): void => {
    setMoved(to);
    overlay.move({ ...shape, [end]: to });
  };
  const release = (keep: boolean): void => {
    setMoved(null);
    if (moved && keep) onMoved({ ...shape, [end]: moved });
    else if (moved) overlay.move(shape);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [bars, ticks] = KEYS[event.key] ?? [0, 0];
    if (event.ctrlKey || event.metaKey || event.altKey || (bars === 0 && ticks === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    let { price } = point;
    for (let left = Math.abs(ticks); left > 0; left -= 1) price = step(subject.kind, price, ticks > 0 ? 1 : -1);
    move(overlay.later({ ...point, price }, bars));
  };
  const text = formatPrice(point.price, subject.decimals);
  return (
    <div
      ref={element}
      className={styles.handle}
      data-at={point.at}
      data-price={point.price}
      role="slider"
      tabIndex={0}
      aria-label={t("chart.shapes.point", { end: t(`chart.shapes.${end}`), name: shapeName(shape, subject.decimals, t) })}
      aria-orientation="vertical"
      aria-valuenow={point.price / 10_000}
      aria-valuetext={t("chart.shapes.at", { price: text, at: formatDateTime(point.at) })}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => event.key in KEYS && release(true)}
      onBlur={() => release(true)}
      onPointerDown={(event) => {
        if (event.isPrimary) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const layer = event.currentTarget.parentElement;
        if (!layer || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const to = overlay.pointAt(spotIn(layer, event));
        if (to) move({ ...to, price: snapped(subject.kind, to.price) });
      }}
      onPointerUp={() => release(true)}
      onPointerCancel={() => release(false)}
    />
  );
}
