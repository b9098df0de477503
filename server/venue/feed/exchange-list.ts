/** Reads what both exchanges list from their open data, one call after the other. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { OpenData } from "./address.ts";
import { CallFailed } from "./caller.ts";
import type { Caller, Reply } from "./caller.ts";
import type { Line } from "./listing.ts";
import { readCompanies, readDay, withCompanies } from "./open-data.ts";
import { FeedFailed } from "./port.ts";
import type { FeedLog } from "./port.ts";

const PATHS = {
  listed: { day: "/exchangeReport/STOCK_DAY_ALL", companies: "/opendata/t187ap03_L" },
  otc: { day: "/tpex_mainboard_quotes", companies: "/mopsfin_t187ap03_O" },
} as const;

/** A list is asked for this often before one gives up. */
const TRIES = 3;

async function ask<Value>(caller: Caller, url: string, read: (body: string) => Value | null, log: FeedLog): Promise<Value> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await caller.get(url, { accept: "application/json" }, ({ status, body }: Reply) => (status === 200 ? read(body) : null));
    } catch (error) {
      if (!(error instanceof CallFailed) || left === 0) throw error;
      log.warn({ url, failing: error.failing, left }, "a list could not be read, and is asked for again");
    }
  }
}

/**
 * Read the securities of both boards. Without the lists of companies, which only add industries and sizes, one can do.
 * @throws FeedFailed when a board cannot be read
 */
export async function readExchanges(caller: Caller, addresses: OpenData, log: FeedLog): Promise<Line[]> {
  const lines: Line[] = [];
  for (const board of ["listed", "otc"] as const) {
    const url = (path: "day" | "companies"): string => addresses[board] + PATHS[board][path];
    log.info({ url: url("day") }, "reading what is listed");
    try {
      const day = await ask(caller, url("day"), (body) => readDay(board, body), log);
      const companies = await ask(caller, url("companies"), (body) => readCompanies(board, body), log).catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        log.warn({ err: error }, "the companies could not be read: their stocks stand among the others");
        return new Map();
      });
      lines.push(...withCompanies(day, companies));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      throw new FeedFailed(`The feed cannot be opened: ${error.message}. Its list of instruments is needed to begin.`);
    }
  }
  return lines;
}

/** Calls to open data: gentle enough for any of the services behind it. */
export const OPEN_DATA_PACE = { leastMs: 5 * SECOND_MS, timeoutMs: 30 * SECOND_MS };
