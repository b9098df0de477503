/** The current state of everything a view names, for the socket's acknowledgement and for polling. */
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import type { MarketSnapshot, View } from "#contract/kernel/push.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Venue } from "#server/venue/venue.ts";
import { readChannels } from "./channel-reader.ts";
import type { ChannelReader } from "./channel-reader.ts";

type Named = Pick<View, "rows" | "channels">;

/** Finds a named row that the venue does not have. A channel's numeric request is a row. */
export function unknownRow({ instruments }: Venue, { rows, channels }: Named): number | undefined {
  const named = [...rows, ...Object.values(channels)].filter((request) => typeof request === "number");
  return named.find((row) => row >= instruments.length);
}

/** The rows whose quotes are sent: those named in the view, and the first rows of its rankings. */
export function watchedRows(named: readonly number[], rankings: readonly (readonly number[])[]): Set<number> {
  const watched = new Set(named);
  for (const ranked of rankings) for (const row of ranked.slice(0, WATCHED_RANKS)) watched.add(row);
  return watched;
}

/** Reads the quotes of some rows and every channel; `ranks` are the rows of the view's rankings. */
export function readSnapshot(
  venue: Venue,
  at: number,
  { rows, ranks, readers }: { rows: Iterable<number>; ranks: number[][]; readers: readonly ChannelReader[] },
): MarketSnapshot {
  const quotes: number[] = [];
  for (const row of rows) pushQuote(quotes, venue.publicQuote(row));
  return { at, phase: venue.phase(at), quotes, ranks, channels: readChannels(readers) };
}
