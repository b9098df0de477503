/** A profit that opens its breakdown sheet when tapped. */
import { Suspense, lazy, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { classNames } from "#src/ui/class-names.ts";
import styles from "./profit-button.module.css";

/**
 * Whose profit: of a position (open or closed), of all open positions, what all closed ones made, or what today brought
 * (the realised part and the change of what is open, in cents).
 */
export type ProfitOf =
  | { kind: "order"; order: Order }
  | { kind: "open" }
  | { kind: "realised"; profitCents: number }
  | { kind: "today"; todayCents: number };

const ProfitSheet = lazy(() => import("./profit-sheet.tsx").then((module) => ({ default: module.ProfitSheet })));

/** Wraps the number; the sheet is loaded when first opened. */
export function ProfitButton({ of, className, children }: { of: ProfitOf; className?: string | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  return (
    <>
      <button
        type="button"
        className={classNames(styles.button, className)}
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        {children}
        <Hidden>{t("ui.profitHow")}</Hidden>
      </button>
      {wanted && (
        <Suspense fallback={null}>
          <ProfitSheet of={of} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
