/** The list of the member's chart lines: add one at a price, move, remove, set an alert. */
import { Bell, BellRing, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_LINES } from "#contract/preference.ts";
import type { ShapeKind } from "#contract/preference.ts";
import { formatPrice, typedPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { alertCondition } from "#src/actors/alert-words.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { ErrorState, Skeleton } from "#src/ui/state.tsx";
import { typedLine } from "./line.ts";
import type { DrawnLine } from "./line.ts";
import type { ChartSubject } from "./chart-spec.ts";
import type { LineEditor } from "./use-lines.ts";
import { PriceField } from "./price-field.tsx";
import { ShapeSection } from "./shape-section.tsx";
import styles from "./tools.module.css";

interface LinesSheetProps {
  open: boolean;
  onClose: () => void;
  subject: Pick<ChartSubject, "code" | "name" | "kind" | "decimals">;
  editor: LineEditor;
  /** The newest price in ten-thousandths; 0 for none. */
  last: () => number;
  /** Lines are not drawn while backward adjustment changes the price scale. */
  linesHidden: boolean;
  /** Starts drawing a shape. */
  onTool: (tool: ShapeKind) => void;
}

/** A sheet; its form starts with the newest price. */
export function LinesSheet({ open, onClose, subject, editor, last, linesHidden, onTool }: LinesSheetProps) {
  const { t } = useTranslation();
  /** The line to confirm removal of; it stays set while the dialog closes. */
  const [removing, setRemoving] = useState<DrawnLine | null>(null);
  const [confirming, setConfirming] = useState(false);
  const [withdraw, setWithdraw] = useState(true);
  const remove = (line: DrawnLine): void => {
    if (line.alert?.status !== "waiting") return editor.remove(line.id, false);
    setRemoving(line);
    setConfirming(true);
  };
  const { lines } = editor;
  return (
    <>
      <Sheet open={open} onClose={onClose} title={t("chart.lines.title")}>
        <div className={styles.tools}>
          {linesHidden && <p className={styles.hint}>{t("chart.lines.unseen")}</p>}
          {editor.state === "ready" ? (
            <>
              <NewLineForm subject={subject} editor={editor} first={last()} />
              {lines.length === 0 ? (
                <p className={styles.hint}>{t("chart.lines.empty")}</p>
              ) : (
                <ul role="list" aria-label={t("chart.lines.title")}>
                  {lines.map((line) => (
                    <LineItem key={line.id} line={line} subject={subject} editor={editor} onRemove={() => remove(line)} />
                  ))}
                </ul>
              )}
            </>
          ) : editor.state === "failed" ? (
            <ErrorState what={t("chart.lines.failed")} onRetry={editor.retry} />
          ) : (
            <Skeleton rows={3} />
          )}
          <ShapeSection
            subject={subject}
            hidden={linesHidden}
            onTool={(tool) => {
              onClose();
              onTool(tool);
            }}
          />
        </div>
      </Sheet>
      <Alert
        open={confirming}
        title={t("chart.lines.removeTitle", { price: formatPrice(removing?.price, subject.decimals) })}
        confirm={t("chart.lines.remove")}
        onConfirm={() => {
          if (removing) editor.remove(removing.id, withdraw);
          setConfirming(false);
        }}
        onClose={() => setConfirming(false)}
      >
        <Checkbox label={t("chart.lines.withdrawToo")} on={withdraw} onCheck={setWithdraw} />
      </Alert>
    </>
  );
}

function NewLineForm({ subject, editor, first }: Pick<LinesSheetProps, "subject" | "editor"> & { first: number }) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => (first > 0 ? typedPrice(first, subject.decimals) : ""));
  const [tried, setTried] = useState(false);
  if (editor.lines.length >= MAX_LINES) return <p className={styles.hint}>{t("refusal.GEN_LIST_FULL", { n: MAX_LINES })}</p>;
  const draw = (): void => {
    const typed = typedLine(subject.kind, text);
    setTried(true);
    if (typed) editor.add(typed.price);
  };
  return (
    <form
      className={styles.draw}
      onSubmit={(event) => {
        event.preventDefault();
        draw();
      }}
    >
      <PriceField subject={subject} label={t("chart.lines.price")} text={text} onText={setText} onPrice={() => {}} strict={tried} />
      <Button tone="primary" type="submit">
        {t("chart.lines.draw")}
      </Button>
    </form>
  );
}

interface LineItemProps extends Pick<LinesSheetProps, "subject" | "editor"> {
  line: DrawnLine;
  onRemove: () => void;
}

function LineItem({ line, subject, editor, onRemove }: LineItemProps) {
  const { t } = useTranslation();
  const { decimals } = subject;
  const [text, setText] = useState(typedPrice(line.price, decimals));
  const [shown, setShown] = useState(line.price);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  // Dragged meanwhile, or reset by the server.
  if (shown !== line.price) {
    setShown(line.price);
    setText(typedPrice(line.price, decimals));
  }
  const { alert } = line;
  const waiting = alert?.status === "waiting";
  const price = formatPrice(line.price, decimals);
  const watch = async (): Promise<void> => {
    setBusy(true);
    setWrong(await editor.watch(line.id, !waiting));
    setBusy(false);
  };
  const state =
    alert &&
    (waiting
      ? t("chart.lines.waits", { what: alertCondition(alert, subject, t) })
      : t("chart.lines.fired", { at: formatDateTime(alert.firedAt ?? 0) }));
  return (
    <li className={styles.line}>
      <PriceField
        subject={subject}
        label={t("chart.lines.priceOf", { price })}
        labelHidden
        text={text}
        onText={setText}
        onPrice={(to) => editor.move(line.id, to)}
        strict
      />
      <IconButton
        label={t("chart.lines.watch", { price })}
        pressed={waiting}
        aria-busy={busy || undefined}
        icon={waiting ? <BellRing size={20} aria-hidden /> : <Bell size={20} aria-hidden />}
        onClick={() => !busy && void watch()}
      />
      <IconButton label={t("chart.lines.removeOf", { price })} icon={<Trash2 size={20} aria-hidden />} onClick={onRemove} />
      <p className={styles.state} data-wrong={wrong === null ? undefined : true} role="status">
        {wrong ?? state ?? t("chart.lines.unwatched")}
      </p>
    </li>
  );
}
