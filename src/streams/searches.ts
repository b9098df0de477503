/** Search in the instrument table, off the main thread. */
import type { Instrument } from "#contract/instrument.ts";
import { instrumentOf } from "./instruments.ts";
import { door } from "./link.ts";

/** Instruments that match a code, a Chinese or an English name, best first. */
export async function searchInstruments(text: string, limit = 30): Promise<Instrument[]> {
  const codes = await (await door()).search(text, limit);
  return codes.map(instrumentOf).filter((instrument) => instrument !== undefined);
}
