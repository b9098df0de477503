/** Large counts in few characters, in the units of the reader's language, for sums the page computes itself. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shortNumber, unitsOf } from "./worker.ts";

/** Formats a whole, non-negative count: `30.7B`, `307億`. */
export function useShortNumber(): (count: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const units = unitsOf(i18n.language);
    return (count) => shortNumber(count, units);
  }, [i18n.language]);
}
