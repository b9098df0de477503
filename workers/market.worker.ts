/** The door of the market worker: comlink for what is asked now and then, one port for what streams. */
import { expose, transfer } from "comlink";
import { MarketSession } from "./market.ts";
import type { FromWorker, MarketDoor, ToWorker } from "./protocol.ts";

const { port1: inside, port2: outside } = new MessageChannel();
const session = new MarketSession((message: FromWorker) => inside.postMessage(message));
inside.addEventListener("message", (event: MessageEvent<ToWorker>) => session.receive(event.data));
inside.start();

const door: MarketDoor = {
  open: () => transfer(outside, [outside]),
  connect: (options) => session.connect(options),
  setCredentials: (token, account) => session.setCredentials(token, account),
  disconnect: () => session.disconnect(),
  setVisible: (visible) => session.setVisible(visible),
  setPositions: (orders) => session.setPositions(orders),
  search: (text, limit) => session.search(text, limit),
  openChart: (code, period) => session.openChart(code, period),
  loadOlder: (chart) => session.loadOlder(chart),
  closeChart: (chart) => session.closeChart(chart),
};

expose(door);
