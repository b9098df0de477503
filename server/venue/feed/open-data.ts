/** Parses the exchanges' open data: the securities of both boards, their latest day, and the industries and sizes of the companies. */
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { kindOf } from "./feed-market.ts";
import type { Line } from "./feed-market.ts";
import { changeIn, countIn, dayIn, priceIn } from "./number.ts";
import type { Latest } from "./port.ts";

/** Shares per lot. */
const LOT = 1000;

type Row = Record<string, unknown>;
type Board = Line["board"];

/** The field names of each service, in two styles and two languages. */
const DAY_FIELDS = {
  listed: {
    code: "Code",
    name: "Name",
    date: "Date",
    open: "OpeningPrice",
    high: "HighestPrice",
    low: "LowestPrice",
    close: "ClosingPrice",
    change: "Change",
    shares: "TradeVolume",
  },
  otc: {
    code: "SecuritiesCompanyCode",
    name: "CompanyName",
    date: "Date",
    open: "Open",
    high: "High",
    low: "Low",
    close: "Close",
    change: "Change",
    shares: "TradingShares",
  },
} as const;

const COMPANY_FIELDS = {
  listed: {
    code: "公司代號",
    industry: "產業別",
    english: "英文簡稱",
    issued: "已發行普通股數或TDR原股發行股數",
    listed: "上市日期",
  },
  otc: {
    code: "SecuritiesCompanyCode",
    industry: "SecuritiesIndustryCode",
    english: "Symbol",
    issued: "IssueShares",
    listed: "DateOfListing",
  },
} as const;

/** What a company list adds to a line. */
export type Company = Pick<Line, "industry" | "english" | "issuedThousands" | "listedDay">;

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** The rows of a reply; null when it is no list of objects. */
function rowsOf(body: string): Row[] | null {
  try {
    const value: unknown = JSON.parse(body);
    if (!Array.isArray(value)) return null;
    return value.filter((row): row is Row => typeof row === "object" && row !== null);
  } catch {
    return null;
  }
}

/** The latest day of a security; null when it did not trade then. Without a date it gets time 0, long ago. */
function latestOf(row: Row, fields: (typeof DAY_FIELDS)[Board]): Latest | null {
  const [open, high, low, close] = [fields.open, fields.high, fields.low, fields.close].map((field) => priceIn(row[field]));
  if (!open || !high || !low || !close) return null;
  const day = dayIn(row[fields.date]);
  const change = changeIn(row[fields.change]);
  const volume = Math.floor((countIn(row[fields.shares]) ?? 0) / LOT);
  return { at: day === null ? 0 : taipeiMidnight(day), open, high, low, close, volume, before: close - (change ?? 0) };
}

/** Parses a board's latest day: one line per security that can be traded here; null when the reply is no such list. */
export function readDay(board: Board, body: string): Line[] | null {
  const fields = DAY_FIELDS[board];
  const lines = rowsOf(body)?.flatMap((row): Line[] => {
    const code = text(row[fields.code]);
    const name = text(row[fields.name]);
    if (!kindOf(code) || name === "") return [];
    return [{ code, board, name, english: null, industry: null, issuedThousands: 0, listedDay: null, latest: latestOf(row, fields) }];
  });
  return lines && lines.length > 0 ? lines : null;
}

/** Parses a board's companies by code; null when the reply is no such list. */
export function readCompanies(board: Board, body: string): Map<string, Company> | null {
  const fields = COMPANY_FIELDS[board];
  const companies = new Map<string, Company>();
  for (const row of rowsOf(body) ?? []) {
    const industry = text(row[fields.industry]);
    companies.set(text(row[fields.code]), {
      industry: industry === "" ? null : industry.padStart(2, "0"),
      english: text(row[fields.english]) || null,
      issuedThousands: Math.round((countIn(row[fields.issued]) ?? 0) / LOT),
      listedDay: dayIn(row[fields.listed]),
    });
  }
  companies.delete("");
  return companies.size > 0 ? companies : null;
}

/** Adds the data of the company lists to the lines. */
export function withCompanies(lines: readonly Line[], companies: ReadonlyMap<string, Company>): Line[] {
  return lines.map((line) => ({ ...line, ...companies.get(line.code) }));
}
