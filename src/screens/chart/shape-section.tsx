/** The drawing tools in the sheet of lines, and the list of shapes: each can be changed by typing its points, and removed. */
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { typedPrice } from "#contract/kernel/money.ts";
import { SHAPE_KINDS } from "#contract/preference.ts";
import type { ChartShape, ShapeKind } from "#contract/preference.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Chip } from "#src/ui/choice.tsx";
import { ErrorState } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import type { ChartSubject } from "./chart-spec.ts";
import { typedLine } from "./line.ts";
import { PriceField } from "./price-field.tsx";
import { fieldOf, timeIn } from "./shape.ts";
import { UndoButtons } from "./undo-buttons.tsx";
import { shapeName, useShapeEditor } from "./use-shapes.ts";
import styles from "./tools.module.css";

interface ShapeSectionProps {
  subject: Pick<ChartSubject, "code" | "kind" | "decimals">;
  /** Nothing can be drawn while shapes are not shown. */
  hidden: boolean;
  onTool: (tool: ShapeKind) => void;
}

export function ShapeSection({ subject, hidden, onTool }: ShapeSectionProps) {
  const { t } = useTranslation();
  const editor = useShapeEditor(subject.code);
  return (
    <section className={styles.part} aria-labelledby="chart-shapes">
      <h3 id="chart-shapes">{t("chart.shapes.title")}</h3>
      {!hidden && (
        <>
          <div className={styles.chips} role="group" aria-labelledby="chart-shapes">
            {SHAPE_KINDS.map((kind) => (
              <Chip key={kind} onPress={() => onTool(kind)}>
                {t(`chart.shapes.kind.${kind}`)}
              </Chip>
            ))}
          </div>
          <p className={styles.hint}>{t("chart.shapes.hint")}</p>
        </>
      )}
      {(editor.canUndo || editor.canRedo) && (
        <div className={styles.steps}>
          <UndoButtons editor={editor} onStep={(by) => void editor[by]()} />
        </div>
      )}
      {editor.state === "failed" && <ErrorState what={t("chart.lines.failed")} onRetry={editor.retry} />}
      {editor.shapes.length > 0 && (
        <ul role="list" aria-labelledby="chart-shapes">
          {editor.shapes.map((shape) => (
            <ShapeItem key={shape.id} shape={shape} subject={subject} onChange={editor.change} onRemove={() => editor.remove(shape.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ShapeItemProps extends Pick<ShapeSectionProps, "subject"> {
  shape: ChartShape;
  onChange: (shape: ChartShape) => void;
  onRemove: () => void;
}

function ShapeItem({ shape, subject, onChange, onRemove }: ShapeItemProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const name = shapeName(shape, subject.decimals, t);
  return (
    <li className={styles.line}>
      <p>{name}</p>
      <IconButton
        label={t("chart.shapes.editOf", { name })}
        aria-expanded={editing}
        icon={<Pencil size={20} aria-hidden />}
        onClick={() => setEditing(!editing)}
      />
      <IconButton label={t("chart.shapes.remove", { name })} icon={<Trash2 size={20} aria-hidden />} onClick={onRemove} />
      {editing && (
        <ShapeForm
          shape={shape}
          subject={subject}
          onSave={(changed) => {
            onChange(changed);
            setEditing(false);
          }}
        />
      )}
    </li>
  );
}

interface ShapeFormProps extends Pick<ShapeItemProps, "shape" | "subject"> {
  onSave: (shape: ChartShape) => void;
}

/** The time and the price of both points. */
function ShapeForm({ shape, subject, onSave }: ShapeFormProps) {
  const { t } = useTranslation();
  const from = usePoint(shape.from, subject);
  const to = usePoint(shape.to, subject);
  return (
    <form
      className={styles.points}
      onSubmit={(event) => {
        event.preventDefault();
        if (from.point && to.point) onSave({ ...shape, from: from.point, to: to.point });
      }}
    >
      {[from, to].map((one, at) => (
        <fieldset key={at === 0 ? "from" : "to"}>
          <legend>{t(at === 0 ? "chart.shapes.from" : "chart.shapes.to")}</legend>
          <TextField
            label={t("chart.shapes.time")}
            type="datetime-local"
            value={one.time}
            onText={one.setTime}
            error={timeIn(one.time) === null ? t("chart.shapes.noTime") : null}
          />
          <PriceField subject={subject} label={t("chart.lines.price")} text={one.price} onText={one.setPrice} onPrice={() => {}} strict />
        </fieldset>
      ))}
      <Button type="submit">{t("chart.shapes.save")}</Button>
    </form>
  );
}

/** A point as typed; `point` is null while it is not complete. */
function usePoint({ at, price: first }: ChartShape["from"], { kind, decimals }: ShapeSectionProps["subject"]) {
  const [time, setTime] = useState(() => fieldOf(at));
  const [price, setPrice] = useState(() => typedPrice(first, decimals));
  const [typedAt, typed] = [timeIn(time), typedLine(kind, price)];
  return { time, setTime, price, setPrice, point: typedAt !== null && typed ? { at: typedAt, price: typed.price } : null };
}
