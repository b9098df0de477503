/** The member's own trading on the chart: average cost, executions, working orders and exit orders; dragging one opens its review. */
import { Suspense, use, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { PointerEvent, Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useConditions } from "#src/streams/conditions.ts";
import { useFills } from "#src/streams/fills.ts";
import { orders, positions as heldOrders } from "#src/streams/orders.ts";
import { usePositionsOf } from "#src/streams/positions.ts";
import { useResource } from "#src/streams/resource.ts";
import type { ChartSubject } from "./chart-spec.ts";
import type { Drawing } from "./drawing.ts";
import { buys, exitOf, fillMarks, landing, ownLevels, shiftedLabels, trailingBy } from "./own-level.ts";
import type { OwnLevel } from "./own-level.ts";
import { OwnSheets } from "./own-sheets.ts";
import type { PriceLine } from "./price-lines.ts";
import type { ChartListeners } from "./use-chart.ts";
import styles from "./line-layer.module.css";

interface OwnLayerProps {
  subject: Pick<ChartSubject, "code" | "kind" | "decimals" | "limits">;
  drawing: Drawing | null;
  /** The newest price in ten-thousandths; 0 for none. */
  last: () => number;
  ref: Ref<Pick<ChartListeners, "onDrawn">>;
}

/** A level being changed, and the price it was dragged to; null when it was tapped. */
interface Editing {
  level: OwnLevel;
  price: Price | null;
}

const NONE: never[] = [];

/** Where the labels begin, as in the style sheet. */
const START_PX = 52;

/** The levels; a tap opens the same sheet as a drag. */
export function OwnLayer({ subject, drawing, last, ref }: OwnLayerProps) {
  const host = useRef<HTMLDivElement>(null);
  const levels = useOwnLevels(subject.code);
  const fills = useFills().value ?? NONE;
  const marks = useMemo(() => fillMarks(subject.code, fills), [subject.code, fills]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [open, setOpen] = useState(false);
  const sheets = use(OwnSheets);
  useEffect(() => drawing?.setLevels(levels.map(lineOf)), [drawing, levels]);
  useEffect(() => drawing?.setFills(marks), [drawing, marks]);
  useImperativeHandle(ref, () => ({
    onDrawn: (by) => {
      const tags = [...(host.current?.querySelectorAll<HTMLElement>("[data-price]") ?? [])];
      const heights = tags.map((tag) => by.heightOf(Number(tag.dataset.price)));
      tags.forEach((tag, n) => (tag.hidden = heights[n] === null));
      const room = (host.current?.clientWidth ?? 0) - START_PX;
      const shifts = shiftedLabels(heights, (n) => (tags[n]?.firstElementChild as HTMLElement | null)?.offsetWidth ?? 0, room);
      tags.forEach((tag, n) => (tag.style.translate = `${shifts[n] ?? 0}px ${heights[n] ?? 0}px`));
    },
  }));
  const order = editing && editing.level.what !== "average" ? editing.level.order : null;
  const exit = editing && exitOf(editing.level);
  return (
    <div className={styles.layer} ref={host}>
      {levels.map((level) => (
        <Tag
          key={level.id}
          level={level}
          subject={subject}
          drawing={drawing}
          last={last}
          onEdit={(price) => {
            setEditing({ level, price });
            setOpen(true);
          }}
        />
      ))}
      <Suspense fallback={null}>
        {sheets && editing && exit === null && (
          <sheets.Amend
            order={open ? order : null}
            onClose={() => setOpen(false)}
            {...{ [editing.level.what === "trigger" ? "trigger" : "price"]: editing.price }}
          />
        )}
        {sheets && editing && exit !== null && (
          <sheets.Exits
            order={open ? order : null}
            onClose={() => setOpen(false)}
            moved={editing.price === null ? null : { kind: exit, price: editing.price }}
          />
        )}
      </Suspense>
    </div>
  );
}

function useOwnLevels(code: string): readonly OwnLevel[] {
  const positions = usePositionsOf(code);
  const pending = useResource(orders.pending).value?.items ?? NONE;
  const held = useResource(heldOrders).value ?? NONE;
  const conditions = useConditions().value ?? NONE;
  return useMemo(() => ownLevels(code, { positions, pending, held, conditions }), [code, positions, pending, held, conditions]);
}

function lineOf(level: OwnLevel): PriceLine {
  const { id, price, what } = level;
  const tone = what === "average" ? "text" : what === "stop" || what === "trailing" ? "warn" : buys(level) ? "up" : "down";
  return { id, price, tone, dashed: what !== "average", unlabelled: true };
}

interface TagProps extends Pick<OwnLayerProps, "subject" | "drawing" | "last"> {
  level: OwnLevel;
  onEdit: (price: Price | null) => void;
}

/** The label of a level: what it does, its size and its price. An average is plain text. */
function Tag({ level, subject, drawing, last, onEdit }: TagProps) {
  const { t } = useTranslation();
  const units = useUnits();
  const drag = useTagDrag(level, subject, drawing, last, onEdit);
  const { what, direction, price } = level;
  const does = {
    average: () => t("chart.own.average"),
    open: () => t(`ticket.${direction}`),
    trigger: () => t(`ticket.${direction}`),
    close: () => t(`trade.closeSide.${direction}`),
    stop: () => t("ticket.exit.stop"),
    takeProfit: () => t("ticket.exit.takeProfit"),
    trailing: () => t("ticket.exit.trailing"),
  }[what]();
  const text = t("chart.own.level", { does, size: units(level.units, level), price: formatPrice(price, subject.decimals) });
  const tone = { "data-what": what, "data-buy": buys(level) || undefined };
  if (what === "average") {
    return (
      <p className={styles.tag} data-price={price} hidden {...tone}>
        <span>{text}</span>
      </p>
    );
  }
  return (
    <button
      type="button"
      className={styles.tag}
      data-price={price}
      hidden
      {...tone}
      data-movable
      aria-label={t("chart.own.change", { level: text })}
      {...drag}
    >
      <span>{text}</span>
    </button>
  );
}

/** A pointer that moved further than this drags; otherwise it taps. */
const DRAG_PX = 4;

/** Drags a level vertically. Where it is released its review opens, and the line returns until the broker has accepted. */
function useTagDrag(
  level: OwnLevel,
  { kind, limits }: TagProps["subject"],
  drawing: Drawing | null,
  last: TagProps["last"],
  onEdit: TagProps["onEdit"],
) {
  // A trailing stop is set by its distance.
  const asked = (price: Price): Price => (level.what === "trailing" ? trailingBy(level, price, kind, last()) : price);
  const from = useRef<{ y: number; top: number; to: Price | null } | null>(null);
  const dragged = useRef(false);
  const end = (event: PointerEvent<HTMLElement>): void => {
    const start = from.current;
    from.current = null;
    if (!start) return;
    event.currentTarget.dataset.price = String(level.price);
    drawing?.moveLevel(level.id, level.price);
    dragged.current = start.to !== null;
    if (event.type === "pointerup" && start.to !== null) onEdit(start.to === level.price ? null : asked(start.to));
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      dragged.current = false;
      const top = drawing?.heightOf(level.price) ?? null;
      if (!event.isPrimary || top === null || level.what === "average") return;
      from.current = { y: event.clientY, top, to: null };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const start = from.current;
      if (!start || !drawing || (start.to === null && Math.abs(event.clientY - start.y) <= DRAG_PX)) return;
      const price = drawing.priceAt(start.top + event.clientY - start.y);
      if (price === null) return;
      start.to = landing(level, price, { kind, limits, last: last() });
      // The label follows at the next redraw.
      event.currentTarget.dataset.price = String(start.to);
      drawing.moveLevel(level.id, start.to);
    },
    onPointerUp: end,
    onPointerCancel: end,
    // A click follows a drag, too; by keyboard it comes alone.
    onClick: (): void => {
      if (!dragged.current) onEdit(null);
      dragged.current = false;
    },
  };
}
