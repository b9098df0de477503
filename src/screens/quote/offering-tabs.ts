/** The tabs of a list of offerings, in their order. */
import type { OfferingGroup } from "#src/streams/offerings.ts";

export const OFFERING_TABS = ["open", "upcoming", "drawn", "listed"] as const satisfies readonly OfferingGroup[];
export type OfferingTab = (typeof OFFERING_TABS)[number];
