/** The reference data of a larger market, for benchmarks: so many copies of every instrument but the indices, under codes of their own. */
import process from "node:process";
import { Code } from "#contract/kernel/id.ts";
import { arrange, listReferenceData as listOne } from "#server/venue/reference-data/listings.ts";
import type { Listing, ReferenceData } from "#server/venue/reference-data/listings.ts";

export { TERMS, arrange, withinLimits } from "#server/venue/reference-data/listings.ts";

const COPIES = Number(process.env["BENCH_COPIES"] ?? 1);

/** The nth copy of a listing, without its row: `arrange` assigns them. */
function copyOf({ instrument, ...listing }: Listing, nth: number): Parameters<typeof arrange>[0][number] & Omit<Listing, "instrument"> {
  const { row: _, ...rest } = instrument;
  return { ...listing, instrument: { ...rest, code: nth === 0 ? rest.code : Code.parse(`${rest.code}Z${nth}`) } };
}

/** All instruments and their copies, or those of them with the given codes. */
export function listReferenceData(codes?: readonly string[]): ReferenceData {
  const { listings } = listOne(codes);
  return arrange(
    Array.from({ length: COPIES }, (_, nth) =>
      listings.filter(({ basket }) => nth === 0 || !basket).map((listing) => copyOf(listing, nth)),
    ).flat(),
  );
}
