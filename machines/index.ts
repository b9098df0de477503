/** The list of all machines, read by the inspector, the diagrams and the graph tests. */
import { alertMachine } from "./alert.ts";
import { backButtonMachine } from "./back-button.ts";
import { conditionMachine } from "./condition.ts";
import { connectionMachine } from "./connection.ts";
import { depositMachine } from "./deposit.ts";
import { identityMachine } from "./identity.ts";
import { loanMachine } from "./loan.ts";
import { conversionMachine } from "./conversion.ts";
import { marginCallMachine } from "./margin-call.ts";
import { orderMachine } from "./order.ts";
import { requestMachine } from "./request.ts";
import { reviewMachine } from "./review.ts";
import { sessionMachine } from "./session.ts";
import { withdrawalMachine } from "./withdrawal.ts";

export const machines = {
  order: orderMachine,
  alert: alertMachine,
  condition: conditionMachine,
  marginCall: marginCallMachine,
  loan: loanMachine,
  conversion: conversionMachine,
  identity: identityMachine,
  review: reviewMachine,
  deposit: depositMachine,
  withdrawal: withdrawalMachine,
  request: requestMachine,
  session: sessionMachine,
  connection: connectionMachine,
  backButton: backButtonMachine,
};
