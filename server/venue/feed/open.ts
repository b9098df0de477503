/** Opens the venue that is configured: the simulated market, or a feed of a real or recorded one. */
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { VenueOptions } from "#server/venue/venue-options.ts";
import type { FugleOptions } from "./fugle.ts";
import { openLiveVenue } from "./live-venue.ts";
import type { Feed, FeedLog } from "./port.ts";
import { ReplayFeed } from "./replay.ts";
import type { ReplayOptions } from "./replay.ts";
import { TwseFeed } from "./twse.ts";
import type { TwseOptions } from "./twse.ts";

/** The configured feed with its options. */
export type FeedChoice =
  | { kind: "simulator" }
  | ({ kind: "twse" } & Omit<TwseOptions, "log">)
  | ({ kind: "fugle" } & Omit<FugleOptions, "log">)
  | ({ kind: "replay" } & Omit<ReplayOptions, "log">);

/** Creates the feed of a choice; null for the simulator, which needs no feed. */
export async function makeFeed(choice: FeedChoice, log: FeedLog): Promise<Feed | null> {
  switch (choice.kind) {
    case "simulator":
      return null;
    case "twse":
      return new TwseFeed({ ...choice, log });
    case "fugle": {
      // Imported on demand, so that its library loads only when the service is used.
      const { FugleFeed } = await import("./fugle.ts");
      return new FugleFeed({ ...choice, log });
    }
    case "replay":
      return new ReplayFeed({ ...choice, log });
  }
}

/**
 * Opens the venue of a choice.
 * @throws FeedFailed with a message for the operator when the feed cannot be opened
 */
export async function openVenueOf(choice: FeedChoice, sandbox: VenueOptions, log: FeedLog): Promise<Venue> {
  const feed = await makeFeed(choice, log);
  return feed ? openLiveVenue(feed, { log }) : openVenue(sandbox);
}
