/** The height of quote rows, by the member's density. */
import type { Density } from "#contract/preference.ts";
import { usePreferences } from "#src/streams/preferences.ts";

/** A compact row is as tall as a touch target and its hairline is part of it. Heights are those at a 16 px root. */
export const ROW_PX: Record<Density, number> = { compact: 44, comfortable: 60 };

/** Rows of the dense table are thinner: 24 px is the least that WCAG 2.5.8 allows, and the comfortable density has full touch targets. */
export const TABLE_ROW_PX: Record<Density, number> = { compact: 32, comfortable: 44 };

export const useDensity = (): Density => usePreferences().density;
