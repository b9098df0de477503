/** A channel in the worker: what it requests of the server, and how payloads become updates for the page. */
import type { Channel, ChannelPayload, ChannelRequest } from "#contract/channel.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Units } from "#workers/short-number.ts";

/** The listed instruments, by row and by code. */
export interface InstrumentIndex {
  readonly instruments: readonly Instrument[];
  readonly byCode: ReadonlyMap<string, Instrument>;
}

/** One watched key of a channel; another key gets a part of its own. */
export interface ChannelPart<Name extends Channel, Update> {
  /** The request in the view; null when the key is not listed. */
  subscribe(instruments: InstrumentIndex): ChannelRequest<Name> | null;
  /** Takes a payload. Returns whether earlier ones are missing, so that a snapshot is needed. */
  apply(payload: ChannelPayload<Name>, instruments: InstrumentIndex, units: Units): boolean;
  /** The update for the next frame; null when nothing changed since the last one. */
  publish(): Update | null;
}

/** A part that keeps the newest value only. `read` makes the update; null ignores the payload. */
export function newestValue<Name extends Channel, Update>(
  subscribe: ChannelPart<Name, Update>["subscribe"],
  read: (payload: ChannelPayload<Name>, instruments: InstrumentIndex, units: Units) => Update | null,
): ChannelPart<Name, Update> {
  let unsent: Update | null = null;
  return {
    subscribe,
    apply(payload, instruments, units) {
      unsent = read(payload, instruments, units) ?? unsent;
      return false;
    },
    publish() {
      const update = unsent;
      unsent = null;
      return update;
    },
  };
}

/** The row of a code; null when it is not listed. */
export const rowOf = (code: string, { byCode }: InstrumentIndex): number | null => byCode.get(code)?.row ?? null;
