/** The sector heat joined to its categories; null until both are loaded. */
import { useMemo } from "react";
import { useHeat } from "#src/streams/sector-heats.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { categoryHeats } from "./breadth.ts";
import type { CategoryHeat } from "./breadth.ts";

/** Updates about once a second. */
export function useCategoryHeats(): CategoryHeat[] | null {
  const table = useInstruments();
  const update = useHeat();
  return useMemo(() => (table && update ? categoryHeats(update.flat, update.texts, table.categories) : null), [table, update]);
}
