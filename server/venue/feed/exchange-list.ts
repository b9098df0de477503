/** Reads the securities of both exchanges from their open data, one call after the other. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { OpenData } from "./address.ts";
import { CallFailed } from "./caller.ts";
import type { Caller, Reply } from "./caller.ts";
import type { Line } from "./feed-market.ts";
import { readCompanies, readDay, withCompanies } from "./open-data.ts";
import { FeedFailed } from "./port.ts";
import type { FeedLog } from "./port.ts";

const PATHS = {
  listed: { day: "/exchangeReport/STOCK_DAY_ALL", companies: "/opendata/t187ap03_L" },
  otc: { day: "/tpex_mainboard_quotes", companies: "/mopsfin_t187ap03_O" },
} as const;

/** How often a list is requested before giving up. */
const MAX_ATTEMPTS = 3;

async function request<Value>(caller: Caller, url: string, read: (body: string) => Value | null, log: FeedLog): Promise<Value> {
  for (let attemptsLeft = MAX_ATTEMPTS - 1; ; attemptsLeft -= 1) {
    try {
      return await caller.get(url, { accept: "application/json" }, ({ status, body }: Reply) => (status === 200 ? read(body) : null));
    } catch (error) {
      if (!(error instanceof CallFailed) || attemptsLeft === 0) throw error;
      log.warn({ url, failing: error.failing, left: attemptsLeft }, "could not read a list; retrying");
    }
  }
}

/**
 * Reads the securities of both boards. The company lists are optional: they only add industries and sizes.
 * @throws FeedFailed when a board cannot be read
 */
export async function readExchanges(caller: Caller, addresses: OpenData, log: FeedLog): Promise<Line[]> {
  const lines: Line[] = [];
  for (const board of ["listed", "otc"] as const) {
    const url = (path: "day" | "companies"): string => addresses[board] + PATHS[board][path];
    log.info({ url: url("day") }, "reading the list of securities");
    try {
      const day = await request(caller, url("day"), (body) => readDay(board, body), log);
      const companies = await request(caller, url("companies"), (body) => readCompanies(board, body), log).catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        log.warn({ err: error }, "could not read the companies; their stocks go into the category of others");
        return new Map();
      });
      lines.push(...withCompanies(day, companies));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      throw new FeedFailed(`The feed cannot be opened: ${error.message}. Its list of instruments is required.`);
    }
  }
  return lines;
}

/** Rate limit for open data: slow enough for any of the services behind it. */
export const OPEN_DATA_RATE = { leastMs: 5 * SECOND_MS, timeoutMs: 30 * SECOND_MS };
