/** The state from which the steps of a simulation are drawn. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import type { Trader } from "./ledger-check.ts";
import type { Funding } from "./funding.ts";
import type { Random } from "./random.ts";

/** A call of a handler, as the client would send it. */
export interface Ask {
  trader: Trader;
  name: EndpointName;
  body: object;
}

/** The state from which steps are drawn. */
export interface World {
  random: Random;
  venue: FakeVenue;
  clock: { now: number };
  traders: readonly Trader[];
  /** The ex-events of the venue so far, by code. */
  actions: Map<string, CorporateAction[]>;
  /** The newest conversion quote of each member. */
  quotes: Map<number, string>;
  /** The member whose quote was made in the last step with one. */
  quoted: number | null;
  /** Bank accounts, wallets, proofs and quotes. */
  funding: Funding;
  /** The blocks that sellers offered last. */
  offers: string[];
  /** Earlier commands that may be repeated. */
  asked: Ask[];
}

/** The instruments that members trade. */
export const tradable = ({ venue }: World): Instrument[] => venue.instruments.filter((instrument) => instrument.tradable);
