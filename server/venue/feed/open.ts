/** Chooses what stands behind the venue: the sandbox's own market, or a feed of a real or recorded one. */
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { VenueOptions } from "#server/venue/simulated-venue.ts";
import type { FugleOptions } from "./fugle.ts";
import { openLiveVenue } from "./live-venue.ts";
import type { Feed, FeedLog } from "./port.ts";
import { ReplayFeed } from "./replay.ts";
import type { ReplayOptions } from "./replay.ts";
import { TwseFeed } from "./twse.ts";
import type { TwseOptions } from "./twse.ts";

/** A feed and what it needs to know. */
export type FeedChoice =
  | { kind: "simulator" }
  | ({ kind: "twse" } & Omit<TwseOptions, "log">)
  | ({ kind: "fugle" } & Omit<FugleOptions, "log">)
  | ({ kind: "replay" } & Omit<ReplayOptions, "log">);

/** Make the feed of a choice; null for the simulator, which is a venue by itself. */
export async function makeFeed(choice: FeedChoice, log: FeedLog): Promise<Feed | null> {
  switch (choice.kind) {
    case "simulator":
      return null;
    case "twse":
      return new TwseFeed({ ...choice, log });
    case "fugle": {
      // Only who uses the service loads its library.
      const { FugleFeed } = await import("./fugle.ts");
      return new FugleFeed({ ...choice, log });
    }
    case "replay":
      return new ReplayFeed({ ...choice, log });
  }
}

/**
 * Open the venue of a choice.
 * @throws FeedFailed with a sentence for the operator when the feed cannot be opened
 */
export async function openVenueOf(choice: FeedChoice, sandbox: VenueOptions, log: FeedLog): Promise<Venue> {
  const feed = await makeFeed(choice, log);
  return feed ? openLiveVenue(feed, { log }) : openVenue(sandbox);
}
