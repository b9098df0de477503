/** Every endpoint by name: the list from which client calls, server handler types, mocks, OpenAPI and tests are derived. */
import { agentEndpoints } from "./agent.ts";
import { checkInEndpoints } from "./check-in.ts";
import { reviewEndpoints } from "./review.ts";
import { seatEndpoints } from "./seat.ts";
import { voucherEndpoints } from "./voucher.ts";
import { agreementEndpoints } from "./agreement.ts";
import { alertEndpoints } from "./alert.ts";
import { blockOrderEndpoints } from "./block-order.ts";
import { bidEndpoints } from "./bid.ts";
import { offeringEndpoints } from "./offering.ts";
import { subscriptionEndpoints } from "./subscription.ts";
import { raiseEndpoints } from "./raise.ts";
import { copyEndpoints } from "./copy.ts";
import { strategyEndpoints } from "./strategy.ts";
import { futuresEndpoints } from "./futures.ts";
import { optionPairEndpoints } from "./option-pair.ts";
import { optionEndpoints } from "./option.ts";
import { lendingEndpoints } from "./lending.ts";
import { savingsPlanEndpoints } from "./savings-plan.ts";
import { corporateActionEndpoints } from "./corporate-action.ts";
import { shortCoverEndpoints } from "./short-cover.ts";
import { messageEndpoints } from "./message.ts";
import { newsEndpoints } from "./news.ts";
import { preferenceEndpoints } from "./preference.ts";
import { privacyEndpoints } from "./privacy.ts";
import { workspaceEndpoints } from "./workspace.ts";
import { fillEndpoints } from "./fill.ts";
import { identityEndpoints } from "./identity.ts";
import { deviceEndpoints } from "./device.ts";
import { passkeyEndpoints } from "./passkey.ts";
import { passwordEndpoints } from "./password.ts";
import { registrationEndpoints } from "./registration.ts";
import { pushSubscriptionEndpoints } from "./push-subscription.ts";
import { investorEndpoints } from "./investor.ts";
import { sparklineEndpoints } from "./sparkline.ts";
import { profileEndpoints } from "./profile.ts";
import { searchEndpoints } from "./search.ts";
import { candleEndpoints } from "./candle.ts";
import { conditionEndpoints } from "./condition.ts";
import { equityCurveEndpoints } from "./equity-curve.ts";
import { dayTradingEndpoints } from "./day-trading.ts";
import { creditEndpoints } from "./credit.ts";
import { cryptoDepositEndpoints } from "./crypto-deposit.ts";
import { depositEndpoints } from "./deposit.ts";
import { walletAddressEndpoints } from "./wallet-address.ts";
import { loanEndpoints } from "./loan.ts";
import { bankCardEndpoints } from "./bank-card.ts";
import { withdrawalEndpoints } from "./withdrawal.ts";
import { marginEndpoints } from "./margin.ts";
import { riskEndpoints } from "./risk.ts";
import { ruleEndpoints } from "./rule.ts";
import { settlementEndpoints } from "./settlement.ts";
import { signInEndpoints } from "./sign-in-endpoints.ts";
import { factEndpoints } from "./fact.ts";
import { conversionEndpoints } from "./conversion.ts";
import { cashLedgerEndpoints } from "./cash-ledger.ts";
import { instrumentEndpoints } from "./instrument.ts";
import type { BodyIn, BodyOf, DataOf } from "./kernel/endpoint.ts";
import { memberEndpoints } from "./member.ts";
import { orderEndpoints } from "./order-endpoints.ts";
import { viewEndpoints } from "./view.ts";
import { walletEndpoints } from "./wallet.ts";
import { watchlistEndpoints } from "./watchlist.ts";

export const endpoints = {
  ...signInEndpoints,
  ...registrationEndpoints,
  ...passwordEndpoints,
  ...passkeyEndpoints,
  ...deviceEndpoints,
  ...identityEndpoints,
  ...memberEndpoints,
  ...instrumentEndpoints,
  ...candleEndpoints,
  ...watchlistEndpoints,
  ...orderEndpoints,
  ...cashLedgerEndpoints,
  ...conversionEndpoints,
  ...walletEndpoints,
  ...factEndpoints,
  ...settlementEndpoints,
  ...ruleEndpoints,
  ...riskEndpoints,
  ...marginEndpoints,
  ...depositEndpoints,
  ...cryptoDepositEndpoints,
  ...walletAddressEndpoints,
  ...creditEndpoints,
  ...loanEndpoints,
  ...bankCardEndpoints,
  ...withdrawalEndpoints,
  ...blockOrderEndpoints,
  ...offeringEndpoints,
  ...subscriptionEndpoints,
  ...bidEndpoints,
  ...raiseEndpoints,
  ...savingsPlanEndpoints,
  ...futuresEndpoints,
  ...optionEndpoints,
  ...optionPairEndpoints,
  ...lendingEndpoints,
  ...copyEndpoints,
  ...strategyEndpoints,
  ...dayTradingEndpoints,
  ...equityCurveEndpoints,
  ...conditionEndpoints,
  ...alertEndpoints,
  ...corporateActionEndpoints,
  ...shortCoverEndpoints,
  ...messageEndpoints,
  ...newsEndpoints,
  ...preferenceEndpoints,
  ...privacyEndpoints,
  ...workspaceEndpoints,
  ...fillEndpoints,
  ...investorEndpoints,
  ...sparklineEndpoints,
  ...profileEndpoints,
  ...pushSubscriptionEndpoints,
  ...agreementEndpoints,
  ...checkInEndpoints,
  ...voucherEndpoints,
  ...reviewEndpoints,
  ...agentEndpoints,
  ...seatEndpoints,
  ...searchEndpoints,
  ...viewEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
export type Body<Name extends EndpointName> = BodyOf<Endpoints[Name]>;
export type Asked<Name extends EndpointName> = BodyIn<Endpoints[Name]>;
export type Answer<Name extends EndpointName> = DataOf<Endpoints[Name]>;
