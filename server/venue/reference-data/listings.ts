/** Assembles the reference data: every instrument the venue lists, in row order, with what the simulation needs to know of each. */
import { BOARDS } from "#contract/instrument.ts";
import type { Board, Category, Instrument, Kind } from "#contract/instrument.ts";
import { Code } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { simplified } from "./simplified-chinese.ts";
import { INDUSTRY_TABLE, OTHER_CATEGORIES } from "./categories.ts";
import { ELECTRONICS_KNOWN } from "./twse-electronics.ts";
import { FUND_KNOWN, limitPercentOf } from "./funds.ts";
import { INDEX_TABLE } from "./indices.ts";
import type { Style } from "./style.ts";
import { fictitiousName } from "./fictitious-names.ts";
import { LISTED_KNOWN } from "./twse-listed.ts";
import { RECENT_LISTING_TABLE } from "./recent-listings.ts";
import { OTC_KNOWN } from "./tpex-listed.ts";
import { CRYPTO_FOREX_TABLE } from "./crypto-forex.ts";

export interface Listing {
  instrument: Instrument;
  /** Price on the anchor day, in price units; for an index its level. */
  anchor: number;
  style: Style;
  /** Own daily volatility in hundredths of a percent; 0 to use the style's. */
  volatility: number;
  /** For an index, the constituents: their board and their industries. */
  basket: { board: Board; industries: readonly string[] } | null;
}

export interface ReferenceData {
  listings: readonly Listing[];
  categories: readonly Category[];
}

/** How each kind is traded. A table, because these are the broker's rules, not logic. */
export const TERMS: Record<
  Kind,
  {
    tradable: boolean;
    shortable: boolean;
    dayTradable: boolean;
    marginable: boolean;
    sellLockSeconds: number;
    decimals: number;
    lotShares: number;
    category: string | null;
  }
> = {
  stock: {
    tradable: true,
    shortable: true,
    dayTradable: true,
    marginable: true,
    sellLockSeconds: 60,
    decimals: 2,
    lotShares: 1000,
    category: null,
  },
  preferred: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 60,
    decimals: 2,
    lotShares: 1000,
    category: "preferred",
  },
  etf: {
    tradable: true,
    shortable: true,
    dayTradable: true,
    marginable: true,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1000,
    category: "etf",
  },
  etn: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1000,
    category: "etn",
  },
  tdr: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 900,
    decimals: 2,
    lotShares: 1000,
    category: "tdr",
  },
  reit: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1000,
    category: "reit",
  },
  bond: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1000,
    category: "bond",
  },
  index: {
    tradable: false,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1000,
    category: "index",
  },
  crypto: {
    tradable: true,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 2,
    lotShares: 1,
    category: "crypto",
  },
  forex: {
    tradable: false,
    shortable: false,
    dayTradable: false,
    marginable: false,
    sellLockSeconds: 0,
    decimals: 4,
    lotShares: 1000,
    category: "forex",
  },
};

/** An instrument without a price limit requires full payment, because nothing bounds its price: no short selling, no margin. */
export function withinLimits<Terms extends { shortable: boolean; marginable: boolean }>(terms: Terms, limitPercent: number | null): Terms {
  return limitPercent === null ? { ...terms, shortable: false, marginable: false } : terms;
}

interface Draft {
  code: string;
  zh: string;
  en: string;
  kind: Kind;
  board: Board;
  industry: string | null;
  price: number;
  issuedMillions: number;
  fictitious?: boolean;
  style?: Style;
  volatility?: number;
  basket?: Listing["basket"];
}

/** First trading days by code, as `taipeiDay` counts. */
const FIRST_DAYS = new Map(rows(RECENT_LISTING_TABLE).map(({ cells: [code = "", date = ""] }) => [code, Date.parse(date) / DAY_MS]));

function listing(draft: Draft): Omit<Listing, "instrument"> & { instrument: Omit<Instrument, "row"> } {
  const { category, ...terms } = TERMS[draft.kind];
  const style = draft.style ?? "s";
  const limitPercent = limitPercentOf(draft.kind, style);
  return {
    instrument: {
      code: Code.parse(draft.code),
      zh: draft.zh,
      zhCn: simplified(draft.zh),
      en: draft.en,
      kind: draft.kind,
      board: draft.board,
      category: category ?? draft.industry ?? "20",
      ...withinLimits(terms, limitPercent),
      watch: "none",
      issuedThousands: Math.round(draft.issuedMillions * 1000),
      fictitious: draft.fictitious ?? false,
      listedDay: FIRST_DAYS.get(draft.code) ?? 0,
      limitPercent,
      bonds: draft.kind === "etf" && style === "b",
      tradesFrom: 0,
      freeUntil: 0,
    },
    anchor: toTick(draft.kind, Math.round(draft.price * PRICE_ONE)),
    style,
    volatility: draft.volatility ?? 0,
    basket: draft.basket ?? null,
  };
}

/** The lines of a table, split at `|`, each with the `#heading` above it. */
function rows(table: string): { heading: string; cells: string[] }[] {
  let heading = "";
  const out: { heading: string; cells: string[] }[] = [];
  for (const line of table.trim().split("\n")) {
    if (line.startsWith("#")) heading = line.slice(1);
    else out.push({ heading, cells: line.split("|") });
  }
  return out;
}

function realCompanies(table: string, board: Board): Draft[] {
  return rows(table).map(({ heading, cells: [code = "", zh = "", en = "", price, issued] }) => ({
    code,
    zh,
    en,
    kind: "stock",
    board,
    industry: heading,
    price: Number(price),
    issuedMillions: Number(issued),
  }));
}

/** A fictitious company: mostly small and low-priced. */
function fictitiousCompany(board: Board, industry: string, nth: number, nameNth: number): Draft {
  const code = `K${String((board === "otc" ? 5000 : 0) + Number(industry) * 100 + nth).padStart(4, "0")}`;
  const key = textKey(code);
  const spread = unit(mix(key, 1)) + unit(mix(key, 2)) - 1;
  const size = unit(mix(key, 3)) + unit(mix(key, 4)) - 1;
  return {
    code,
    ...fictitiousName(industry, nameNth),
    kind: "stock",
    board,
    industry,
    price: 40 * Math.exp(spread * 1.7),
    issuedMillions: Math.round((board === "otc" ? 70 : 150) * Math.exp(size * 1.2)),
    fictitious: true,
  };
}

function stocks(): Draft[] {
  const out = [...realCompanies(LISTED_KNOWN, "listed"), ...realCompanies(ELECTRONICS_KNOWN, "listed"), ...realCompanies(OTC_KNOWN, "otc")];
  const present = new Map<string, number>();
  for (const { board, industry } of out) present.set(`${board} ${industry}`, (present.get(`${board} ${industry}`) ?? 0) + 1);
  for (const { cells } of rows(INDUSTRY_TABLE)) {
    const industry = cells[0] ?? "";
    let named = 0;
    for (const board of ["listed", "otc"] as const) {
      const wanted = Number(cells[board === "listed" ? 4 : 5]) - (present.get(`${board} ${industry}`) ?? 0);
      for (let nth = 1; nth <= wanted; nth += 1) out.push(fictitiousCompany(board, industry, nth, named++));
    }
  }
  return out;
}

const isBoard = (text: string): text is Board => BOARDS.some((board) => board === text);

function funds(): Draft[] {
  return rows(FUND_KNOWN).map(({ heading, cells: [code = "", zh = "", en = "", price, issued, style] }) => {
    const [kind, board = ""] = heading.split(" ");
    if (!isBoard(board)) throw new Error(`no such board: ${heading}`);
    return {
      code,
      zh,
      en,
      kind: kind as Kind,
      board,
      industry: null,
      price: Number(price),
      issuedMillions: Number(issued),
      style: style as Style,
    };
  });
}

function cryptoAndForex(): Draft[] {
  return rows(CRYPTO_FOREX_TABLE).map(({ heading, cells: [code = "", zh = "", en = "", price, volatility] }) => {
    const kind = heading === "crypto" ? "crypto" : "forex";
    const style = kind === "crypto" ? "x" : "y";
    return {
      code,
      zh,
      en,
      kind,
      board: kind,
      industry: null,
      price: Number(price),
      issuedMillions: 0,
      style,
      volatility: Number(volatility),
    };
  });
}

/** The industries an index rule names: `*` all, `03,24-31` these, `!17` all but these. */
function industriesOf(rule: string, all: readonly string[]): string[] {
  if (rule === "*") return [...all];
  const named = new Set<string>();
  for (const part of rule.replace("!", "").split(",")) {
    const [from = "", to = from] = part.split("-");
    for (const code of all) if (code >= from && code <= to) named.add(code);
  }
  return all.filter((code) => named.has(code) !== rule.startsWith("!"));
}

function indices(all: readonly string[]): Draft[] {
  return rows(INDEX_TABLE).map(({ heading, cells: [code = "", zh = "", en = "", level, rule = "*"] }) => {
    const board = heading === "otc" ? "otc" : "listed";
    const basket: Listing["basket"] = { board, industries: industriesOf(rule, all) };
    return { code, zh, en, kind: "index", board: "index", industry: null, price: Number(level), issuedMillions: 0, style: "m", basket };
  });
}

/** Assigns rows to instruments, board by board and category by category, and lists the categories that have any. */
export function arrange<Member extends { instrument: Omit<Instrument, "row"> }>(
  members: readonly Member[],
): { listings: (Omit<Member, "instrument"> & { instrument: Instrument })[]; categories: Category[] } {
  const industries = rows(INDUSTRY_TABLE).map(({ cells: [code = "", zh = "", zhCn = "", en = ""] }) => ({ code, zh, zhCn, en }));
  const categories: Category[] = [];
  const listings: (Omit<Member, "instrument"> & { instrument: Instrument })[] = [];
  for (const board of BOARDS) {
    const own = board === "listed" || board === "otc" ? industries : [];
    for (const { code, zh, zhCn, en } of [...own, ...OTHER_CATEGORIES.filter((other) => other.board === board)]) {
      const inside = members.filter(({ instrument }) => instrument.board === board && instrument.category === code);
      if (inside.length === 0) continue;
      // Indices, crypto and currencies stay in the order of their tables, the best known first.
      if (own.length > 0) inside.sort((a, b) => (a.instrument.code < b.instrument.code ? -1 : 1));
      categories.push({ board, code, zh, zhCn, en, count: inside.length });
      for (const member of inside) listings.push({ ...member, instrument: { row: listings.length, ...member.instrument } });
    }
  }
  return { listings, categories };
}

/** Assembles the reference data of all instruments, or of those with the given codes; the same on every call and for every seed. */
export function listReferenceData(codes?: readonly string[]): ReferenceData {
  const all = rows(INDUSTRY_TABLE).map(({ cells: [code = ""] }) => code);
  const drafts = [...stocks(), ...funds(), ...indices(all), ...cryptoAndForex()];
  const listed = codes && new Set(codes);
  return arrange((listed ? drafts.filter(({ code }) => listed.has(code)) : drafts).map(listing));
}
