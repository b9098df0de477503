/** The live change of a category. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { useHeat } from "#src/streams/sector-heats.ts";
import type { HeatUpdate } from "#src/streams/sector-heats.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";

/** A category's change as a number (hundredths of a percent) and as text, by the category's index; null while unknown. */
export function changeIn(heat: HeatUpdate | null, place: number): { change: number; text: string } | null {
  const at = heat?.texts.findIndex((_, one) => heat.flat[one * HEAT_STRIDE] === place) ?? -1;
  const text = heat?.texts[at]?.[0];
  return heat && text !== undefined ? { change: sectorHeatAt(heat.flat, at * HEAT_STRIDE).change, text } : null;
}

/** Renders about once a second, without rerendering its parent. */
export function CategoryChange({ place }: { place: number }) {
  const change = changeIn(useHeat(), place);
  return (
    change && (
      <span data-live>
        <Direction trend={trendOf(change.change)} text={change.text} />
      </span>
    )
  );
}
