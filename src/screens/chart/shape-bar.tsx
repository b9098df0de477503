/** What stands around the shapes of a chart: the bar of the selected one, and the places where the keyboard selects another. */
import { Pencil, Trash2 } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ChartShape } from "#contract/preference.ts";
import { IconButton } from "#src/ui/button.tsx";
import { place } from "./shape-place.ts";
import type { ShapeOverlay } from "./shape-overlay.ts";
import { UndoButtons } from "./undo-buttons.tsx";
import { shapeName } from "./use-shapes.ts";
import type { ShapeEditor } from "./use-shapes.ts";
import styles from "./shape-layer.module.css";

interface ShapeBarProps {
  /** The selected shape; none after it was removed. */
  shape: ChartShape | undefined;
  decimals: number;
  editor: ShapeEditor;
  onOpen: () => void;
  onRemoved: () => void;
  onStep: (by: "undo" | "redo") => void;
}

/** Names the selected shape, and edits and removes it; undo and redo. */
export function ShapeBar({ shape, decimals, editor, onOpen, onRemoved, onStep }: ShapeBarProps) {
  const { t } = useTranslation();
  const name = shape && shapeName(shape, decimals, t);
  return (
    <div className={styles.bar}>
      {shape && (
        <>
          <p role="status">{name}</p>
          <IconButton label={t("chart.shapes.edit")} icon={<Pencil size={20} aria-hidden />} onClick={onOpen} />
          <IconButton
            label={t("chart.shapes.remove", { name })}
            icon={<Trash2 size={20} aria-hidden />}
            onClick={() => {
              editor.remove(shape.id);
              onRemoved();
            }}
          />
        </>
      )}
      <UndoButtons editor={editor} onStep={onStep} />
    </div>
  );
}

interface PickButtonProps {
  shape: ChartShape;
  decimals: number;
  overlay: ShapeOverlay;
  onPick: () => void;
}

/** Selects a shape by keyboard: a place in the order of the focus that a pointer never meets. */
export function PickButton({ shape, decimals, overlay, onPick }: PickButtonProps) {
  const { t } = useTranslation();
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (element.current) place(element.current, overlay);
  });
  return (
    <button
      ref={element}
      type="button"
      className={styles.handle}
      data-pick
      data-at={shape.from.at}
      data-price={shape.from.price}
      aria-label={shapeName(shape, decimals, t)}
      onClick={onPick}
    />
  );
}
