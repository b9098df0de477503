/** Every lifecycle of the product: what the inspector, the diagrams and the graph tests read. */
import { alertMachine } from "./alert.ts";
import { connectionMachine } from "./connection.ts";
import { orderMachine } from "./order.ts";
import { requestMachine } from "./request.ts";
import { sessionMachine } from "./session.ts";

export const machines = {
  order: orderMachine,
  alert: alertMachine,
  request: requestMachine,
  session: sessionMachine,
  connection: connectionMachine,
};
