/** The buttons that take back a change of a shape or make it again. */
import { Redo2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#src/ui/button.tsx";
import type { ShapeEditor } from "./use-shapes.ts";

interface UndoButtonsProps {
  editor: Pick<ShapeEditor, "canUndo" | "canRedo">;
  onStep: (by: "undo" | "redo") => void;
}

/** Each is shown while there is something for it to do. */
export function UndoButtons({ editor, onStep }: UndoButtonsProps) {
  const { t } = useTranslation();
  return (
    <>
      {editor.canUndo && (
        <IconButton label={t("chart.shapes.undo")} icon={<Undo2 size={20} aria-hidden />} onClick={() => onStep("undo")} />
      )}
      {editor.canRedo && (
        <IconButton label={t("chart.shapes.redo")} icon={<Redo2 size={20} aria-hidden />} onClick={() => onStep("redo")} />
      )}
    </>
  );
}
