/** Fictitious companies listed recently, with their first trading day. */

/** `code|first trading day`, days on which the exchanges were open. */
export const RECENT_LISTING_TABLE = `
K2409|2026-05-12
K7811|2026-06-02
K3503|2026-06-24
K7206|2026-07-15
K0504|2026-08-06
K7520|2026-08-27
K3604|2026-09-16
K7709|2026-10-14
K2207|2026-11-05
K6411|2026-11-18
`;
