/** Every lifecycle of the product: what the inspector, the diagrams and the graph tests read. */
import { orderMachine } from "./order.ts";

export const machines = { order: orderMachine };
