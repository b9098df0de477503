/** Small markets for tests: opening the whole one takes seconds of CPU time. */
import type { Instrument } from "#contract/instrument.ts";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import { isFull } from "./size.ts";

/** Instruments that tests name, and those of the demo member's watchlist. */
const NAMED = ["2330", "2317", "2454", "2603", "0050", "2881", "2308", "3008", "6488", "1101", "2412", "3711", "1301", "2882"];

/**
 * Codes of a market with all indices, the named instruments, and so many of each board and category; with `test:full` undefined, which
 * opens the whole market.
 */
export function sampleUniverse(perCategory: number, ...named: string[]): readonly string[] | undefined {
  if (isFull) return undefined;
  const always = new Set([...NAMED, ...named]);
  const counts = new Map<string, number>();
  const listed = ({ code, kind, board, category }: Instrument): boolean => {
    const nth = (counts.get(`${board} ${category}`) ?? 0) + 1;
    counts.set(`${board} ${category}`, nth);
    return kind === "index" || nth <= perCategory || always.has(code);
  };
  return listReferenceData().listings.flatMap(({ instrument }) => (listed(instrument) ? [instrument.code] : []));
}

/** The configuration that a test server is given; of the market, only what differs. */
export type ServerOverrides = Partial<Omit<ServerConfig, "venue">> & { venue?: Partial<ServerConfig["venue"]> };

const small = sampleUniverse(2);
/** Each instrument of the small market changes as often as in the whole one. */
const SMALL_RATE = 40;

/** The market of a test server. `codes: undefined` opens the whole one; it has no new issues unless asked for, and no registers that close, so that shorts
 * can be sold on every day. */
export function testMarket(over: ServerOverrides["venue"] = {}): ServerConfig["venue"] {
  const whole = readConfig({ VENUE_SEED: "1" }).venue;
  const { codes } = { codes: small, ...over };
  return { ...whole, newIssues: false, bookClosures: false, rate: codes ? SMALL_RATE : whole.rate, codes, ...over };
}
