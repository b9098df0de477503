/** Lets a member draw, change and remove the shapes on the chart of an instrument. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { MAX_SHAPES } from "#contract/preference.ts";
import type { ChartShape } from "#contract/preference.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { noteStep, redoStep, undoStep, useSteps, withShape } from "./shape-history.ts";
import type { ShapeStep } from "./shape-history.ts";
import { saveShapes, useShapes } from "#src/streams/shapes.ts";
import type { Read } from "#src/streams/resource.ts";

export interface ShapeEditor extends Pick<Read<unknown>, "state" | "retry"> {
  shapes: readonly ChartShape[];
  /** Adds a shape and returns its id; null, with a toast, when the chart is full or its shapes are not loaded. */
  add: (shape: Omit<ChartShape, "id">) => ChartShape["id"] | null;
  change: (shape: ChartShape) => void;
  remove: (id: string) => void;
  canUndo: boolean;
  canRedo: boolean;
  /** Take the latest change back, or make it again. Returns the shape's id; null when there was nothing to do. */
  undo: () => string | null;
  redo: () => string | null;
}

const NONE: never[] = [];

/** The shapes of an instrument, as a hook. */
export function useShapeEditor(code: string): ShapeEditor {
  const { t } = useTranslation();
  const { value, state, retry } = useShapes(code);
  const shapes = value ?? NONE;
  const steps = useSteps(code);
  const put = (id: string, to: ChartShape | null): void => {
    const before = shapes.find((one) => one.id === id) ?? null;
    saveShapes(code, withShape(shapes, id, to));
    noteStep(code, { before, after: to });
  };
  /** Applies one side of a remembered change. */
  const apply = (step: ShapeStep | null, side: keyof ShapeStep): string | null => {
    const id = (step?.before ?? step?.after)?.id;
    if (!step || id === undefined) return null;
    saveShapes(code, withShape(shapes, id, step[side]));
    return id;
  };
  return {
    shapes,
    state: value ? "ready" : state,
    retry,
    add: (shape) => {
      if (!value) showToast(t("chart.lines.failed"), "danger");
      else if (shapes.length >= MAX_SHAPES) showToast(t("refusal.GEN_LIST_FULL", { n: MAX_SHAPES }), "danger");
      else {
        const id = newRequestId() as ChartShape["id"];
        put(id, { ...shape, id });
        return id;
      }
      return null;
    },
    change: (shape) => put(shape.id, shape),
    remove: (id) => put(id, null),
    ...steps,
    undo: () => apply(undoStep(code), "before"),
    redo: () => apply(redoStep(code), "after"),
  };
}

/** What a shape is called: its kind and its two prices. */
export function shapeName({ kind, from, to }: Omit<ChartShape, "id">, decimals: number, t: TFunction): string {
  return t("chart.shapes.named", {
    kind: t(`chart.shapes.kind.${kind}`),
    from: formatPrice(from.price, decimals),
    to: formatPrice(to.price, decimals),
  });
}
