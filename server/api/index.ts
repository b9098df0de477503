/** Builds the handlers of all endpoints; a missing one is a compile error. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { agentHandlers, applicationHandlers } from "./agent.ts";
import { checkInHandlers } from "./check-in.ts";
import { agreementHandlers } from "./agreement.ts";
import { alertHandlers } from "./alert.ts";
import type { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { candleHandlers } from "./candle.ts";
import { configHandlers } from "./config.ts";
import { conversionHandlers } from "./conversion.ts";
import { corporateActionHandlers } from "./corporate-action.ts";
import { shortCoverHandlers } from "./short-cover.ts";
import type { Handlers } from "./handler.ts";
import { factHandlers } from "./fact.ts";
import { conditionHandlers } from "./condition.ts";
import { bankCardHandlers } from "./bank-card.ts";
import { depositHandlers } from "./deposit.ts";
import { walletAddressHandlers } from "./wallet-address.ts";
import { loanHandlers } from "./loan.ts";
import { blockOrderHandlers } from "./block-order.ts";
import { auctionHandlers } from "./auction.ts";
import { offeringHandlers } from "./offering.ts";
import { subscriptionHandlers } from "./subscription.ts";
import { withdrawalHandlers } from "./withdrawal.ts";
import { marginHandlers } from "./margin.ts";
import { dayTradingHandlers } from "./day-trading.ts";
import { workspaceHandlers } from "./workspace.ts";
import { fillHandlers } from "./fill.ts";
import { riskHandlers } from "./risk.ts";
import { settlementHandlers } from "./settlement.ts";
import { equityCurveHandlers } from "./equity-curve.ts";
import { cashLedgerHandlers } from "./cash-ledger.ts";
import { instrumentHandlers } from "./instrument.ts";
import { memberHandlers } from "./member.ts";
import { messageHandlers } from "./message.ts";
import { newsHandlers } from "./news.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { orderHandlers } from "./order.ts";
import { preferenceHandlers } from "./preference.ts";
import { privacyHandlers } from "./privacy.ts";
import { investorHandlers } from "./investor.ts";
import { sparklineHandlers } from "./sparkline.ts";
import { profileHandlers } from "./profile.ts";
import type { Push } from "#server/push/push.ts";
import { identityHandlers } from "./identity.ts";
import type { PhotoStore } from "#server/accounts/photo-store.ts";
import { deviceHandlers } from "./device.ts";
import { passkeyHandlers } from "./passkey.ts";
import { passwordHandlers } from "./password.ts";
import { registrationHandlers } from "./registration.ts";
import type { OneTimeCodes } from "#server/accounts/one-time-code.ts";
import { pushSubscriptionHandlers } from "./push-subscription.ts";
import { raiseHandlers } from "./raise.ts";
import { copyHandlers } from "./copy.ts";
import { strategyHandlers } from "./strategy.ts";
import { futuresHandlers } from "./futures.ts";
import { optionPairHandlers } from "./option-pair.ts";
import { optionHandlers } from "./option.ts";
import { lendingHandlers } from "./lending.ts";
import { savingsPlanHandlers } from "./savings-plan.ts";
import { ruleHandlers } from "./rule.ts";
import { searchHandlers } from "./search.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { DemoAccess, SessionStore } from "./session-store.ts";
import { sessionHandlers } from "./session.ts";
import type { SignInThrottle } from "./session/sign-in-throttle.ts";
import { openPasswordCheck } from "./session/password-check.ts";
import { viewHandlers } from "./view.ts";
import { walletHandlers } from "./wallet.ts";
import { watchlistHandlers } from "./watchlist.ts";

export interface HandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  alerts: AlertRegistry;
  sessions: SessionStore;
  codes: OneTimeCodes;
  photos: PhotoStore;
  push: Push;
  security?: NoteSecurity;
  demo?: DemoAccess;
  /** The brake on sign-ins, if not one of this process alone. */
  throttle?: SignInThrottle;
  /** Opens limiters that go on at the next leader, if not those of this process alone. */
  openLimiter?: OpenLimiter | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

export function createHandlers(given: HandlerDeps): Handlers {
  const deps = { ...given, passwords: openPasswordCheck(given.db, given.openLimiter) };
  return {
    ...configHandlers(deps),
    ...sessionHandlers(deps),
    ...registrationHandlers(deps),
    ...passwordHandlers(deps),
    ...privacyHandlers(deps),
    ...passkeyHandlers(deps),
    ...deviceHandlers(deps),
    ...identityHandlers(deps),
    ...memberHandlers(deps),
    ...instrumentHandlers(deps),
    ...viewHandlers(deps),
    ...candleHandlers(deps),
    ...watchlistHandlers(deps),
    ...orderHandlers(deps),
    ...cashLedgerHandlers(deps),
    ...conversionHandlers(deps),
    ...walletHandlers(deps),
    ...equityCurveHandlers(deps),
    ...settlementHandlers(deps),
    ...riskHandlers(deps),
    ...dayTradingHandlers(deps),
    ...marginHandlers(deps),
    ...depositHandlers(deps),
    ...walletAddressHandlers(deps),
    ...loanHandlers(deps),
    ...bankCardHandlers(deps),
    ...withdrawalHandlers(deps),
    ...blockOrderHandlers(deps),
    ...offeringHandlers(deps),
    ...subscriptionHandlers(deps),
    ...auctionHandlers(deps),
    ...raiseHandlers(deps),
    ...savingsPlanHandlers(deps),
    ...futuresHandlers(deps),
    ...optionHandlers(deps),
    ...optionPairHandlers(deps),
    ...lendingHandlers(deps),
    ...copyHandlers(deps),
    ...strategyHandlers(deps),
    ...conditionHandlers(deps),
    ...ruleHandlers(deps),
    ...factHandlers(deps),
    ...alertHandlers(deps),
    ...messageHandlers(deps),
    ...preferenceHandlers(deps),
    ...pushSubscriptionHandlers(deps),
    ...searchHandlers(deps),
    ...corporateActionHandlers(deps),
    ...shortCoverHandlers(deps),
    ...workspaceHandlers(deps),
    ...fillHandlers(deps),
    ...investorHandlers(deps),
    ...sparklineHandlers(deps),
    ...profileHandlers(deps),
    ...newsHandlers(deps),
    ...agreementHandlers(deps),
    ...checkInHandlers(deps),
    ...agentHandlers(deps),
    ...applicationHandlers(deps),
  };
}
