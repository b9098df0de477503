/** Searches the instrument table, off the main thread. */
import type { Instrument } from "#contract/instrument.ts";
import { instrumentOf } from "./instruments.ts";
import { marketApi } from "./worker-link.ts";

/** Instruments whose code, Chinese name or English name matches, best first. */
export async function searchInstruments(text: string, limit = 30): Promise<Instrument[]> {
  const codes = await (await marketApi()).search(text, limit);
  return codes.map(instrumentOf).filter((instrument) => instrument !== undefined);
}
