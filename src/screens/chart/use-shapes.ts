/** Lets a member draw, change and remove the shapes on the chart of an instrument. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { MAX_SHAPES } from "#contract/preference.ts";
import type { ChartShape } from "#contract/preference.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { newRequestId } from "#src/gateway/pending-commands.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { saveShapes, useShapes } from "#src/streams/shapes.ts";
import type { Read } from "#src/streams/resource.ts";

export interface ShapeEditor extends Pick<Read<unknown>, "state" | "retry"> {
  shapes: readonly ChartShape[];
  /** Adds a shape and returns its id; null, with a toast, when the chart is full or its shapes are not loaded. */
  add: (shape: Omit<ChartShape, "id">) => ChartShape["id"] | null;
  change: (shape: ChartShape) => void;
  remove: (id: string) => void;
}

const NONE: never[] = [];

/** The shapes of an instrument, as a hook. */
export function useShapeEditor(code: string): ShapeEditor {
  const { t } = useTranslation();
  const { value, state, retry } = useShapes(code);
  const shapes = value ?? NONE;
  return {
    shapes,
    state: value ? "ready" : state,
    retry,
    add: (shape) => {
      if (!value) showToast(t("chart.lines.failed"), "danger");
      else if (shapes.length >= MAX_SHAPES) showToast(t("refusal.GEN_LIST_FULL", { n: MAX_SHAPES }), "danger");
      else {
        const id = newRequestId() as ChartShape["id"];
        saveShapes(code, [...shapes, { ...shape, id }]);
        return id;
      }
      return null;
    },
    change: (shape) => {
      saveShapes(
        code,
        shapes.map((one) => (one.id === shape.id ? shape : one)),
      );
    },
    remove: (id) => {
      saveShapes(
        code,
        shapes.filter((one) => one.id !== id),
      );
    },
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
