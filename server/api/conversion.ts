/** Handlers of currency conversion: a quote, and its acceptance as a command that acts once. */
import type { Database } from "#server/db/database.ts";
import { acceptQuote, makeQuote, openConversion } from "#server/accounts/conversion.ts";
import type { ConversionState } from "#server/accounts/conversion.ts";
import { RateHistory } from "#server/accounts/rate-history.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

export interface ConversionHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

export function conversionHandlers(deps: ConversionHandlerDeps): Pick<Handlers, "quoteConversion" | "acceptConversion"> {
  const { db, venue, sequencer, now } = deps;
  // Follows the market as long as the venue runs.
  const rates = new RateHistory(venue, now);
  rates.start();
  return {
    async quoteConversion({ caller: { memberId } }, body) {
      sequencer.countCommand(memberId);
      return db.transaction(async (tx) => {
        const { identity, restrictions } = await tx
          .selectFrom("member")
          .select(["identity", "restrictions"])
          .where("id", "=", memberId)
          .executeTakeFirstOrThrow();
        checkEligible("convert", { identity, restrictions });
        return makeQuote(tx, memberId, body, { venue, rates, rule: sequencer.rules.of(memberId).conversion, at: sequencer.now() });
      });
    },
    acceptConversion: ({ caller: { memberId } }, body) => {
      let state: ConversionState = { quote: null, used: false, hourCents: 0 };
      return sequencer.commandAll({
        endpoint: "acceptConversion",
        memberId,
        body,
        prepare: async (tx, batch) => {
          state = await openConversion(tx, batch, memberId);
        },
        decide: (batch) => {
          checkEligible("convert", batch.member(memberId));
          return acceptQuote(batch, memberId, body.quoteId, state);
        },
      });
    },
  };
}
