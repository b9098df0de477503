/** What a real market lists: the exchanges' codes read as instruments of this venue, and the indices above them. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { Code } from "#contract/kernel/id.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { usualLimitPercent } from "#contract/tick.ts";
import { textKey } from "#server/venue/seeded-random.ts";
import { simplified } from "#server/venue/reference-data/simplified-chinese.ts";
import { TERMS, arrange, listReferenceData, withinLimits } from "#server/venue/reference-data/listings.ts";
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
  listReferenceData()
    .categories.filter(({ board }) => board === "listed" || board === "otc")
    .map(({ code }) => code),
);

/** How far a day of this venue's own instruments may go, by code. */
const KNOWN_LIMITS: ReadonlyMap<string, number | null> = new Map(
  listReferenceData().listings.map(({ instrument }) => [String(instrument.code), instrument.limitPercent]),
);

/** The rows of every index's constituents, by the row of the index: the stocks of some industries of one board. */
export function constituentsOf(instruments: readonly Instrument[]): ReadonlyMap<number, readonly number[]> {
  const rows = new Map(instruments.map(({ code, row }) => [code, row]));
  return new Map(
    listReferenceData().listings.flatMap(({ instrument, basket }) => {
      const index = rows.get(instrument.code);
      if (!basket || index === undefined) return [];
      const named = new Set(basket.industries);
      const inside = instruments.filter(({ kind, board, category }) => kind === "stock" && board === basket.board && named.has(category));
      return [[index, inside.map(({ row }) => row)] as const];
    }),
  );
}

/** Funds of bonds, of futures on commodities, and in foreign money, as their codes end. */
const ELSEWHERE = /^00\d{3}[BCDKU]$/;
/** Of bonds, passive and active, as their codes end; what is leveraged or inverse ends otherwise. */
const OF_BONDS = /^00\d{3}[BD]$/;
/** Words of markets abroad, and of what is priced there, in the names of funds. */
const ABROAD =
  /美|日本|日經|東證|中國|上証|上證|滬|深[證証1]|創業板|A50|恒生|恆生|恒指|香港|國企|印度|越南|歐洲|韓國|韓|亞太|亞洲|新興|全球|環球|世界|國際|S&P|標普|NASDAQ|那斯達克|道瓊|費城|FANG|蘋果|MSCI(?!台|臺|金)|黃金|白銀|油|黃豆|銅|日圓|日幣|美元|債|REIT|不動產|特斯拉|輝達/i;
/** What is of this market though its name has a word of that kind. */
const AT_HOME = /台灣|臺灣|台股|臺股|加權|台50|櫃買|富櫃/;
/** The multiple a fund follows, as its name says: 正2, 反1, 正二. */
const MULTIPLE = /[正反]([1-3一二三])/;

/**
 * How far a day of what a line lists may go, per cent, as far as its code and name tell; null for no limit. What this venue lists itself
 * it knows; and a feed that says a day's limits overrules it.
 */
function limitPercentIn(kind: Kind, { code, name }: Line): number | null {
  const usual = usualLimitPercent(kind);
  if (usual === null || (kind !== "etf" && kind !== "etn")) return usual;
  const known = KNOWN_LIMITS.get(code);
  if (known !== undefined) return known;
  if (ELSEWHERE.test(code) || (ABROAD.test(name) && !AT_HOME.test(name))) return null;
  const digit = MULTIPLE.exec(name)?.[1] ?? "1";
  return usual * (" 一二三".indexOf(digit) > 0 ? " 一二三".indexOf(digit) : Number(digit));
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
  const limitPercent = limitPercentIn(kind, line);
  const industry = line.industry !== null && INDUSTRIES.has(line.industry) ? line.industry : OTHERS;
  const instrument = {
    code: code.data,
    zh: line.name,
    zhCn: simplified(line.name),
    en: line.english ?? line.name,
    kind,
    board: line.board as Board,
    category: category ?? industry,
    ...withinLimits(terms, limitPercent),
    watch: "none" as const,
    issuedThousands: line.issuedThousands,
    fictitious: false,
    listedDay: line.listedDay ?? 0,
    limitPercent,
    bonds: kind === "etf" && OF_BONDS.test(line.code),
    freeBefore: 0,
  };
  return [{ instrument, latest: line.latest }];
}

/** The exchanges' indices, as far as they are wanted. */
function indexMembers(wanted: (code: string) => boolean): Member[] {
  return listReferenceData().listings.flatMap(({ instrument: { row: _row, ...instrument }, basket }) =>
    basket && wanted(instrument.code) ? [{ instrument, latest: null }] : [],
  );
}

/** Turn the exchanges' lists, and the indices that are wanted, into what a feed lists. A code on both boards is taken from the first. */
export function listingOf(name: string, lines: readonly Line[], wantsIndex: (code: string) => boolean): Listing {
  const seen = new Set<string>();
  const own = lines.filter(({ code }) => !seen.has(code) && seen.add(code));
  const { listings, categories } = arrange([...own.flatMap(memberOf), ...indexMembers(wantsIndex)]);
  const instruments = listings.map(({ instrument }) => instrument);
  const key = textKey(instruments.map(({ code, category, limitPercent, bonds }) => `${code}/${category}/${limitPercent}/${bonds}`).join());
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
