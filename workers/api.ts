/** What a market worker offers the page: one session behind it, and the one port that streams. */
import { transfer } from "comlink";
import { MarketSession } from "./market-session.ts";
import type { FromWorker, MarketApi, ToWorker } from "./protocol.ts";
import type { OpenLine } from "#workers/connection/transport.ts";

/** Open a market behind a door; `openLine` is the way to its broker. */
export function marketApi(openLine: OpenLine): MarketApi {
  const { port1: inside, port2: outside } = new MessageChannel();
  const session = new MarketSession((message: FromWorker) => inside.postMessage(message), openLine);
  inside.addEventListener("message", (event: MessageEvent<ToWorker>) => session.receive(event.data));
  inside.start();
  return {
    open: () => transfer(outside, [outside]),
    connect: (options) => session.connect(options),
    setCredentials: (token, account) => session.setCredentials(token, account),
    disconnect: () => session.disconnect(),
    setVisible: (visible) => session.setVisible(visible),
    setSaving: (saving) => session.setSaving(saving),
    traffic: () => session.traffic(),
    setPositions: (orders) => session.setPositions(orders),
    search: (text, limit) => session.search(text, limit),
    openChart: (request) => session.openChart(request),
    studyChart: (chart, studies, settings) => session.studyChart(chart, studies, settings),
    loadOlder: (chart) => session.loadOlder(chart),
    closeChart: (chart) => session.closeChart(chart),
  };
}
