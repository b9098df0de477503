/** The flash settings of a member who has chosen none; apart from the other preferences, because their schema has them as a default. */
export const USUAL_FLASH = { lots: 1, limitCents: 50_000_000 };
