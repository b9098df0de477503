/** The list of all machines, read by the inspector, the diagrams and the graph tests. */
import { alertMachine } from "./alert.ts";
import { auctionMachine } from "./auction.ts";
import { backButtonMachine } from "./back-button.ts";
import { bidMachine } from "./bid.ts";
import { blockOrderMachine } from "./block-order.ts";
import { conditionMachine } from "./condition.ts";
import { copyMachine } from "./copy.ts";
import { connectionMachine } from "./connection.ts";
import { depositMachine } from "./deposit.ts";
import { identityMachine } from "./identity.ts";
import { futuresPositionMachine } from "./futures-position.ts";
import { lendingMachine } from "./lending.ts";
import { loanMachine } from "./loan.ts";
import { conversionMachine } from "./conversion.ts";
import { marginCallMachine } from "./margin-call.ts";
import { offeringMachine } from "./offering.ts";
import { optionPositionMachine } from "./option-position.ts";
import { orderMachine } from "./order.ts";
import { raiseMachine } from "./raise.ts";
import { requestMachine } from "./request.ts";
import { reviewMachine } from "./review.ts";
import { savingsPlanMachine } from "./savings-plan.ts";
import { sessionMachine } from "./session.ts";
import { subscriptionMachine } from "./subscription.ts";
import { stakeMachine } from "./stake.ts";
import { strategyMachine } from "./strategy.ts";
import { voucherMachine } from "./voucher.ts";
import { withdrawalMachine } from "./withdrawal.ts";

export const machines = {
  order: orderMachine,
  alert: alertMachine,
  condition: conditionMachine,
  blockOrder: blockOrderMachine,
  auction: auctionMachine,
  bid: bidMachine,
  offering: offeringMachine,
  subscription: subscriptionMachine,
  raise: raiseMachine,
  stake: stakeMachine,
  savingsPlan: savingsPlanMachine,
  futuresPosition: futuresPositionMachine,
  optionPosition: optionPositionMachine,
  lending: lendingMachine,
  copy: copyMachine,
  strategy: strategyMachine,
  marginCall: marginCallMachine,
  loan: loanMachine,
  conversion: conversionMachine,
  identity: identityMachine,
  review: reviewMachine,
  voucher: voucherMachine,
  deposit: depositMachine,
  withdrawal: withdrawalMachine,
  request: requestMachine,
  session: sessionMachine,
  connection: connectionMachine,
  backButton: backButtonMachine,
};
