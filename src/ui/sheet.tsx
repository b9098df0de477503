/** The bottom sheet: slides up on phones, centred on wider screens; closes by drag, backdrop, Esc and Back. */
import { X } from "lucide-react";
import { useId, useRef } from "react";
import type { PointerEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import { useModal, usePresence } from "./modal.ts";
import styles from "./sheet.module.css";

/** Dragging farther or faster than this closes the sheet. */
const FAR_PX = 96;
const FAST_PX_PER_MS = 0.6;

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Stays at the bottom while the content scrolls: the primary action. */
  footer?: ReactNode;
  /** The member cannot close it: a command is being sent. */
  locked?: boolean;
}

/** A modal sheet. Its content is rendered only while it is open. */
export function Sheet({ open, onClose, title, children, footer, locked = false }: SheetProps) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useModal(open, locked, onClose);
  const present = usePresence(open);
  const drag = useDrag(locked, onClose);
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby={id} data-locked={locked || undefined}>
      {present && (
        <div className={styles.panel}>
          <header className={styles.head} {...drag}>
            <span className={styles.grip} aria-hidden />
            <h2 id={id} className={styles.title} tabIndex={-1} data-first-focus>
              {title}
            </h2>
            {!locked && <IconButton label={t("ui.close")} icon={<X size={20} aria-hidden />} onClick={onClose} />}
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </div>
      )}
    </dialog>
  );
}

/** Move the sheet that contains a header; null resets it. */
function shift(header: Element, px: number | null): void {
  const sheet = header.closest("dialog");
  if (!sheet) return;
  sheet.style.translate = px === null ? "" : `0 ${Math.max(0, px)}px`;
  sheet.style.transitionDuration = px === null ? "" : "0s";
}

/** Drag the sheet down by its header, and close it when the drag was far or fast enough. */
function useDrag(locked: boolean, onClose: () => void) {
  const start = useRef<{ y: number; at: number } | null>(null);
  const end = (event: PointerEvent): void => {
    const from = start.current;
    start.current = null;
    if (!from) return;
    shift(event.currentTarget, null);
    const far = event.clientY - from.y;
    const speed = far / Math.max(1, event.timeStamp - from.at);
    if (event.type === "pointerup" && (far > FAR_PX || (far > 24 && speed > FAST_PX_PER_MS))) onClose();
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (locked || !event.isPrimary || (event.target instanceof Element && event.target.closest("button"))) return;
      start.current = { y: event.clientY, at: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent): void => {
      if (start.current) shift(event.currentTarget, event.clientY - start.current.y);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
