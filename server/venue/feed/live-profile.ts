/** Builds the profiles of live instruments: their index and the instruments to compare them with. No feed reports fundamentals. */
import type { Instrument } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import type { Profile } from "#contract/profile.ts";
import type { Indices } from "#server/venue/market-data/market-statistics.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { relatedTo } from "#server/venue/simulator/company-profile.ts";

/** The index of an instrument's board; for an index that of its constituents' board, unless it is the same. */
function indexOf({ row, code, kind, board }: Instrument, instruments: readonly Instrument[], indices: Indices): Code | null {
  const [listed, otc] = BOARD_INDICES;
  const own = kind === "index" ? instruments[indices.constituents(row)[0] ?? -1]?.board : board;
  const index = own === "listed" ? listed : own === "otc" ? otc : null;
  return index === code ? null : (instruments.find((one) => one.code === index)?.code ?? null);
}

/** The profile of an instrument; `references`: reference prices by row. */
export function liveProfileOf(
  instrument: Instrument,
  instruments: readonly Instrument[],
  indices: Indices,
  references: ArrayLike<number>,
): Profile {
  return {
    code: instrument.code,
    listedAt: instrument.listedDay > 0 ? taipeiMidnight(instrument.listedDay) : null,
    issuedThousands: instrument.issuedThousands,
    fundamentals: null,
    yearHigh: null,
    yearLow: null,
    index: indexOf(instrument, instruments, indices),
    related: relatedTo(instrument, instruments, ({ row, issuedThousands }) => issuedThousands * (references[row] ?? 0)),
  };
}
