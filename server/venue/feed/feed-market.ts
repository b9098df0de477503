/** Turns a real market's lists into instruments: maps the exchanges' codes to kinds, limits and categories, and adds the indices. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { Code } from "#contract/kernel/id.ts";
import type { Board, Instrument, Kind } from "#contract/instrument.ts";
import { usualLimitPercent } from "#contract/tick.ts";
import type { Indices } from "#server/venue/market-data/market-statistics.ts";
import { textKey } from "#server/venue/seeded-random.ts";
import { simplified } from "#server/venue/reference-data/simplified-chinese.ts";
import { TERMS, arrange, listReferenceData, withinLimits } from "#server/venue/reference-data/listings.ts";
import type { FeedMarket, Latest } from "./port.ts";

/** One line of an exchange's list. */
export interface Line {
  code: string;
  board: "listed" | "otc";
  name: string;
  /** English short name; null where there is none. */
  english: string | null;
  /** Industry number; null where unknown. */
  industry: string | null;
  issuedThousands: number;
  /** As `taipeiDay` counts; null where unknown. */
  listedDay: number | null;
  latest: Latest | null;
}

/** Code patterns by kind of security. Warrants, bonds and asset-backed securities match none: they are not traded here. */
const CODE_PATTERNS: readonly (readonly [RegExp, Kind])[] = [
  [/^[1-8]\d{3}$|^9[02-9]\d{2}$/, "stock"],
  [/^\d{4}[A-Z]\d?$/, "preferred"],
  [/^00\d{2}$|^00\d{3,4}[A-Z]?$/, "etf"],
  [/^02\d{3}[\dA-Z]$/, "etn"],
  [/^91\d{2}(?:\d{2})?$/, "tdr"],
  [/^01\d{3}T$/, "reit"],
];

/** The kind of a security by its code; null for what is not traded here. */
export function kindOf(code: string): Kind | null {
  return CODE_PATTERNS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** The category of stocks with an unknown industry: others. */
const OTHER_INDUSTRY = "20";

/** Industries that have a category; the exchanges define more than have any stocks. */
const INDUSTRIES = new Set(
  listReferenceData()
    .categories.filter(({ board }) => board === "listed" || board === "otc")
    .map(({ code }) => code),
);

/** Daily limits in per cent of the instruments in this venue's own reference data, by code. */
const KNOWN_LIMITS: ReadonlyMap<string, number | null> = new Map(
  listReferenceData().listings.map(({ instrument }) => [String(instrument.code), instrument.limitPercent]),
);

/** The exchanges' indices among some instruments: each consists of the stocks of some industries of one board. */
export function indicesOf(instruments: readonly Instrument[]): Indices {
  const rows = new Map(instruments.map(({ code, row }) => [code, row]));
  const constituents = new Map(
    listReferenceData().listings.flatMap(({ instrument, basket }) => {
      const index = rows.get(instrument.code);
      if (!basket || index === undefined) return [];
      const industries = new Set(basket.industries);
      const inside = instruments.filter(
        ({ kind, board, category }) => kind === "stock" && board === basket.board && industries.has(category),
      );
      return [[index, inside.map(({ row }) => row)] as const];
    }),
  );
  return { rows: [...constituents.keys()], constituents: (row) => constituents.get(row) ?? [] };
}

/** Code suffixes of funds of bonds, of commodity futures, and in foreign currency. */
const FOREIGN_CODE = /^00\d{3}[BCDKU]$/;
/** Code suffixes of bond funds, passive and active; leveraged and inverse ones end differently. */
const BOND_CODE = /^00\d{3}[BD]$/;
/** Words in fund names for foreign markets and for assets priced abroad. */
const FOREIGN_NAME =
  /美|日本|日經|東證|中國|上証|上證|滬|深[證証1]|創業板|A50|恒生|恆生|恒指|香港|國企|印度|越南|歐洲|韓國|韓|亞太|亞洲|新興|全球|環球|世界|國際|S&P|標普|NASDAQ|那斯達克|道瓊|費城|FANG|蘋果|MSCI(?!台|臺|金)|黃金|白銀|油|黃豆|銅|日圓|日幣|美元|債|REIT|不動產|特斯拉|輝達/i;
/** Words in fund names for the Taiwan market, which override the former. */
const DOMESTIC_NAME = /台灣|臺灣|台股|臺股|加權|台50|櫃買|富櫃/;
/** The multiple a fund tracks, as in its name: 正2, 反1, 正二. */
const MULTIPLE = /[正反]([1-3一二三])/;

/**
 * The daily limit of a line in per cent, as far as code and name determine it; null for no limit. Instruments in this venue's own
 * reference data use that; limits reported by a feed override it.
 */
function limitPercentIn(kind: Kind, { code, name }: Line): number | null {
  const usual = usualLimitPercent(kind);
  if (usual === null || (kind !== "etf" && kind !== "etn")) return usual;
  const known = KNOWN_LIMITS.get(code);
  if (known !== undefined) return known;
  if (FOREIGN_CODE.test(code) || (FOREIGN_NAME.test(name) && !DOMESTIC_NAME.test(name))) return null;
  const digit = MULTIPLE.exec(name)?.[1] ?? "1";
  return usual * (" 一二三".indexOf(digit) > 0 ? " 一二三".indexOf(digit) : Number(digit));
}

interface ListedMember {
  instrument: Omit<Instrument, "row">;
  latest: Latest | null;
}

function memberOf(line: Line): ListedMember[] {
  const kind = kindOf(line.code);
  const code = Code.safeParse(line.code);
  if (!kind || !code.success) return [];
  const { category, ...terms } = TERMS[kind];
  const limitPercent = limitPercentIn(kind, line);
  const industry = line.industry !== null && INDUSTRIES.has(line.industry) ? line.industry : OTHER_INDUSTRY;
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
    bonds: kind === "etf" && BOND_CODE.test(line.code),
    tradesFrom: line.listedDay === null ? 0 : taipeiMidnight(line.listedDay),
    freeUntil: 0,
  };
  return [{ instrument, latest: line.latest }];
}

/** The exchanges' indices that are wanted. */
function indexMembers(wanted: (code: string) => boolean): ListedMember[] {
  return listReferenceData().listings.flatMap(({ instrument: { row: _row, ...instrument }, basket }) =>
    basket && wanted(instrument.code) ? [{ instrument, latest: null }] : [],
  );
}

/** Builds a feed's market from the exchanges' lists and the wanted indices. A code on both boards is taken from the first. */
export function feedMarketOf(name: string, lines: readonly Line[], wantsIndex: (code: string) => boolean): FeedMarket {
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

/** Turnover of a line's latest day in currency units; the most traded are requested first. */
export function turnoverOf({ latest }: Line): number {
  return latest ? (latest.close / PRICE_ONE) * latest.volume : 0;
}
