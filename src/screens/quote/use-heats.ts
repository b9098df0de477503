/** The heat of every category, joined to the categories; null until both are there. */
import { useMemo } from "react";
import { useHeat } from "#src/streams/heats.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { categoryHeats } from "./breadth.ts";
import type { CategoryHeat } from "./breadth.ts";

/** Changes about once a second. */
export function useCategoryHeats(): CategoryHeat[] | null {
  const table = useInstruments();
  const told = useHeat();
  return useMemo(() => (table && told ? categoryHeats(told.flat, told.texts, table.categories) : null), [table, told]);
}
