/** A profit that opens its breakdown sheet when tapped. */
import { Suspense, lazy, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { loadTranslations } from "#src/gateway/language.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { classNames } from "#src/ui/class-names.ts";
import type { ProfitOf } from "./profit-sheet.tsx";
import styles from "./profit-button.module.css";

const ProfitSheet = lazy(async () => {
  const [{ ProfitSheet }] = await Promise.all([import("./profit-sheet.tsx"), loadTranslations("sheets")]);
  return { default: ProfitSheet };
});

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
