/** Builds the handlers of what a follower answers itself, from its market and the database; a missing one is a compile error. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { candleHandlers } from "./candle.ts";
import { cashLedgerHandlers } from "./cash-ledger.ts";
import { configHandlers } from "./config.ts";
import { corporateActionHandlers } from "./corporate-action.ts";
import { equityCurveHandlers } from "./equity-curve.ts";
import { factHandlers } from "./fact.ts";
import { fillHandlers } from "./fill.ts";
import type { FollowerHandlers } from "./handler.ts";
import { instrumentHandlers } from "./instrument.ts";
import { investorHandlers } from "./investor.ts";
import { newsHandlers } from "./news.ts";
import { profileHandlers } from "./profile.ts";
import { settlementHandlers } from "./settlement.ts";
import { sparklineHandlers } from "./sparkline.ts";
import { viewHandlers } from "./view.ts";

export interface FollowerHandlerDeps {
  db: Database;
  venue: Venue;
  /** Epoch milliseconds. */
  now: () => number;
}

export const createFollowerHandlers = (deps: FollowerHandlerDeps): FollowerHandlers => ({
  ...configHandlers(deps),
  ...instrumentHandlers(deps),
  ...viewHandlers(deps),
  ...candleHandlers(deps),
  ...sparklineHandlers(deps),
  ...profileHandlers(deps),
  ...investorHandlers(deps),
  ...corporateActionHandlers(deps),
  ...newsHandlers(deps),
  ...factHandlers(deps),
  ...cashLedgerHandlers(deps),
  ...fillHandlers(deps),
  ...settlementHandlers(deps),
  ...equityCurveHandlers(deps),
});
