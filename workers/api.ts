/** The comlink API of a market worker: one market session and the one port that streams to the page. */
import { transfer } from "comlink";
import { MarketSession } from "./market-session.ts";
import type { FromWorker, MarketApi, ToWorker } from "./protocol.ts";
import type { OpenConnection } from "#workers/connection/transport.ts";

/** Creates the API with a session of its own; `openConnection` opens the connection to the broker. */
export function marketApi(openConnection: OpenConnection): MarketApi {
  const { port1: innerPort, port2: outerPort } = new MessageChannel();
  const session = new MarketSession((message: FromWorker) => innerPort.postMessage(message), openConnection);
  innerPort.addEventListener("message", (event: MessageEvent<ToWorker>) => session.receive(event.data));
  innerPort.start();
  return {
    open: () => transfer(outerPort, [outerPort]),
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
    volumeByPrice: (code, kind, since) => session.volumeByPrice(code, kind, since),
  };
}
