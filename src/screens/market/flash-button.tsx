/** The title of the order book with the key that opens flash orders, which are loaded only then. */
import { Zap } from "lucide-react";
import { Suspense, lazy, useCallback, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import { IconButton } from "#src/ui/button.tsx";
import { useWide } from "#src/ui/use-wide.ts";
import styles from "./depth.module.css";

const Flash = lazy(() => import("./flash.tsx").then((module) => ({ default: module.Flash })));

export interface FlashTitleProps {
  instrument: Instrument;
  /** Whether orders can be placed at all. */
  available: boolean;
  /** Called with what a tap on a price does; null while flash orders are off. */
  onArm: (send: ((price: Price) => void) | null) => void;
  /** The book. */
  children: ReactNode;
}

/** Around the book: its title, the bar while flash orders are on, and the key, which on a phone is below it. */
export function FlashTitle({ instrument, available, onArm, children }: FlashTitleProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const [open, setOpen] = useState(false);
  const off = useCallback(() => setOpen(false), []);
  const title = (
    <h2 id="best-five" className={styles.title}>
      {t("market.bestFive")}
    </h2>
  );
  const key = available && !open && (
    <IconButton label={t("flash.title")} icon={<Zap size={20} aria-hidden />} onClick={() => setOpen(true)} />
  );
  return (
    <>
      {wide ? (
        <div className={styles.head}>
          {title}
          {key}
        </div>
      ) : (
        title
      )}
      {open && available && (
        <Suspense>
          <Flash instrument={instrument} onArm={onArm} onOff={off} />
        </Suspense>
      )}
      {children}
      {!wide && key && <div className={styles.foot}>{key}</div>}
    </>
  );
}
