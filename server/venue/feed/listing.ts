/** What a real market lists: the exchanges' codes read as instruments of this venue, and the indices above them. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { Code } from "#contract/kernel/id.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { textKey } from "#server/venue/hash.ts";
import { simplified } from "#server/venue/simplified.ts";
import { TERMS, arrange, listUniverse } from "#server/venue/universe.ts";
import type { Latest, Listing } from "./port.ts";

/** One line of an exchange's list. */
export interface Line {
  code: string;
  board: "listed" | "otc";
  name: string;
  /** English short name; null where there is none. */
  english: string | null;
  /** Industry number; null where none is known. */
  industry: string | null;
  issuedThousands: number;
  /** As `taipeiDay` counts; null where it is not known. */
  listedDay: number | null;
  latest: Latest | null;
}

/** What a code says of the security behind it. Warrants, bonds and asset-backed papers are not traded here: they fit none. */
const SHAPES: readonly (readonly [RegExp, Kind])[] = [
  [/^[1-8]\d{3}$|^9[02-9]\d{2}$/, "stock"],
  [/^\d{4}[A-Z]\d?$/, "preferred"],
  [/^00\d{2}$|^00\d{3,4}[A-Z]?$/, "etf"],
  [/^02\d{3}[\dA-Z]$/, "etn"],
  [/^91\d{2}(?:\d{2})?$/, "tdr"],
  [/^01\d{3}T$/, "reit"],
];

/** The kind of a security by its code; null for what is not traded here. */
export function kindOf(code: string): Kind | null {
  return SHAPES.find(([shape]) => shape.test(code))?.[1] ?? null;
}

/** Where a stock stands whose industry nobody told: among the others. */
const OTHERS = "20";

/** An industry that has a category; the exchanges number more than have any stocks. */
const INDUSTRIES = new Set(
  listUniverse()
    .categories.filter(({ board }) => board === "listed" || board === "otc")
    .map(({ code }) => code),
);

/** The rows of every index's constituents, by the row of the index: the stocks of some industries of one board. */
export function constituentsOf(instruments: readonly Instrument[]): ReadonlyMap<number, readonly number[]> {
  const rows = new Map(instruments.map(({ code, row }) => [code, row]));
  return new Map(
    listUniverse().listings.flatMap(({ instrument, basket }) => {
      const index = rows.get(instrument.code);
      if (!basket || index === undefined) return [];
      const named = new Set(basket.industries);
      const inside = instruments.filter(({ kind, board, category }) => kind === "stock" && board === basket.board && named.has(category));
      return [[index, inside.map(({ row }) => row)] as const];
    }),
  );
}

interface Member {
  instrument: Omit<Instrument, "row">;
  latest: Latest | null;
}

function memberOf(line: Line): Member[] {
  const kind = kindOf(line.code);
  const code = Code.safeParse(line.code);
  if (!kind || !code.success) return [];
  const { category, ...terms } = TERMS[kind];
  const industry = line.industry !== null && INDUSTRIES.has(line.industry) ? line.industry : OTHERS;
  const instrument = {
    code: code.data,
    zh: line.name,
    zhCn: simplified(line.name),
    en: line.english ?? line.name,
    kind,
    board: line.board as Board,
    category: category ?? industry,
    ...terms,
    watch: "none" as const,
    issuedThousands: line.issuedThousands,
    fictitious: false,
    listedDay: line.listedDay ?? 0,
    freeBefore: 0,
  };
  return [{ instrument, latest: line.latest }];
}

/** The exchanges' indices, as far as they are wanted. */
function indexMembers(wanted: (code: string) => boolean): Member[] {
  return listUniverse().listings.flatMap(({ instrument: { row: _row, ...instrument }, basket }) =>
    basket && wanted(instrument.code) ? [{ instrument, latest: null }] : [],
  );
}

/** Turn the exchanges' lists, and the indices that are wanted, into what a feed lists. A code on both boards is taken from the first. */
export function listingOf(name: string, lines: readonly Line[], wantsIndex: (code: string) => boolean): Listing {
  const seen = new Set<string>();
  const own = lines.filter(({ code }) => !seen.has(code) && seen.add(code));
  const { listings, categories } = arrange([...own.flatMap(memberOf), ...indexMembers(wantsIndex)]);
  const instruments = listings.map(({ instrument }) => instrument);
  const key = textKey(instruments.map(({ code, category }) => `${code}/${category}`).join());
  return {
    universe: `${name}-${instruments.length}-${(key >>> 0).toString(16)}`,
    hours: "taiwan",
    simulated: false,
    instruments,
    categories,
    latest: listings.map(({ latest }) => latest),
  };
}

/** How much money a line's latest day moved, in currency units: what is traded most is asked for first. */
export function tradedOf({ latest }: Line): number {
  return latest ? (latest.close / PRICE_ONE) * latest.volume : 0;
}
