/** Builds the handlers of what a follower answers itself, from its market and the database; a missing one is a compile error. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { auctionReads } from "./auction.ts";
import { candleHandlers } from "./candle.ts";
import { cashLedgerHandlers } from "./cash-ledger.ts";
import { conditionReads } from "./condition.ts";
import { configHandlers } from "./config.ts";
import { corporateActionHandlers } from "./corporate-action.ts";
import { depositReads } from "./deposit.ts";
import { equityCurveHandlers } from "./equity-curve.ts";
import { factHandlers } from "./fact.ts";
import { fillHandlers } from "./fill.ts";
import { futuresReads } from "./futures.ts";
import type { FollowerHandlers } from "./handler.ts";
import { instrumentHandlers } from "./instrument.ts";
import { investorHandlers } from "./investor.ts";
import { messageReads } from "./message.ts";
import { newsHandlers } from "./news.ts";
import { optionReads } from "./option.ts";
import { orderReads } from "./order.ts";
import { preferenceReads } from "./preference.ts";
import { profileHandlers } from "./profile.ts";
import { settlementHandlers } from "./settlement.ts";
import { sparklineHandlers } from "./sparkline.ts";
import { viewHandlers } from "./view.ts";
import { walletReads } from "./wallet.ts";
import { watchlistReads } from "./watchlist.ts";
import { withdrawalReads } from "./withdrawal.ts";
import { workspaceReads } from "./workspace.ts";

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
  ...orderReads(deps),
  ...conditionReads(deps),
  ...walletReads(deps),
  ...futuresReads(deps),
  ...optionReads(deps),
  ...depositReads(deps),
  ...withdrawalReads(deps),
  ...auctionReads(deps),
  ...messageReads(deps),
  ...watchlistReads(deps),
  ...preferenceReads(deps),
  ...workspaceReads(deps),
});
