/** The key beside the order book's title that opens flash orders, which are loaded only then. */
import { Zap } from "lucide-react";
import { Suspense, lazy, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import { IconButton } from "#src/ui/button.tsx";
import styles from "./depth.module.css";

const Flash = lazy(() => import("./flash.tsx").then((module) => ({ default: module.Flash })));

export interface FlashTitleProps {
  instrument: Instrument;
  /** Whether orders can be placed at all. */
  available: boolean;
  /** Called with what a tap on a price does; null while flash orders are off. */
  onArm: (send: ((price: Price) => void) | null) => void;
}

/** The title of the book, its flash key, and the bar while flash orders are on. */
export function FlashTitle({ instrument, available, onArm }: FlashTitleProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const off = useCallback(() => setOpen(false), []);
  return (
    <>
      <div className={styles.head}>
        <h2 id="best-five" className={styles.title}>
          {t("market.bestFive")}
        </h2>
        {available && !open && <IconButton label={t("flash.title")} icon={<Zap size={20} aria-hidden />} onClick={() => setOpen(true)} />}
      </div>
      {open && available && (
        <Suspense>
          <Flash instrument={instrument} onArm={onArm} onOff={off} />
        </Suspense>
      )}
    </>
  );
}
