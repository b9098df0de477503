/** What the steps of a simulation are drawn on. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import type { Trader } from "./books.ts";
import type { Random } from "./random.ts";

/** A call of a desk, as the client would send it. */
export interface Ask {
  trader: Trader;
  name: EndpointName;
  body: object;
}

/** What the steps are drawn on. */
export interface World {
  random: Random;
  venue: FakeVenue;
  clock: { now: number };
  traders: readonly Trader[];
  /** The ex-events of the venue so far, by code. */
  actions: Map<string, CorporateAction[]>;
  /** Commands that were asked before, to be asked again. */
  asked: Ask[];
}

/** What members trade. */
export const tradable = ({ venue }: World): Instrument[] => venue.instruments.filter((instrument) => instrument.tradable);
