/** Confirmation dialog before an irreversible action: names the object, cancel first, confirm last. */
import { useId } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import type { ButtonTone } from "./button.tsx";
import { useModal, usePresence } from "./modal.ts";
import { SlideToConfirm } from "./slide-to-confirm.tsx";
import styles from "./sheet.module.css";

export interface AlertProps {
  open: boolean;
  title: string;
  /** What will happen; names the object. */
  children: ReactNode;
  /** The verb on the confirm button. */
  confirm: string;
  /** The words on the other button, where "cancel" could mean either answer. */
  refuse?: string;
  onConfirm: () => void;
  onClose: () => void;
  tone?: ButtonTone;
  busy?: boolean;
  /** Confirms by a slide instead of a press. */
  slides?: boolean;
}

/** A small modal with two answers. While busy it stays open until the caller closes it. */
export function Alert({
  open,
  title,
  children,
  confirm,
  refuse,
  onConfirm,
  onClose,
  tone = "danger",
  busy = false,
  slides = false,
}: AlertProps) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useModal(open, busy, onClose);
  const present = usePresence(open);
  return (
    <dialog ref={dialog} className={styles.alert} role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-words`}>
      {present && (
        <>
          <div className={styles.words}>
            <h2 id={`${id}-title`}>{title}</h2>
            <div id={`${id}-words`}>{children}</div>
          </div>
          <div className={styles.choices} data-slides={slides || undefined}>
            <Button data-first-focus aria-disabled={busy || undefined} onClick={() => !busy && onClose()}>
              {refuse ?? t("ui.cancel")}
            </Button>
            {slides ? (
              <SlideToConfirm label={confirm} tone="danger" busy={busy} onConfirm={onConfirm} />
            ) : (
              <Button tone={tone} busy={busy} onClick={onConfirm}>
                {confirm}
              </Button>
            )}
          </div>
        </>
      )}
    </dialog>
  );
}
