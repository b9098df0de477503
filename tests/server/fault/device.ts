/** A client device without a screen: the app's own session, streams, worker and request machines, as separate module instances. */
import { Window } from "happy-dom";
import { vi } from "vitest";
import { createActor, waitFor } from "xstate";
import type { Asked } from "#contract/endpoints.ts";
import type { Order, OrderStatus } from "#contract/order.ts";
import type { CommandName } from "#src/actors/request-effects.ts";
import type { RemoteMarketApi } from "#src/streams/worker.ts";

/** How a command ended on a device, and every state that the member saw until then. */
export interface Ending {
  name: CommandName;
  requestId: string;
  state: "accepted" | "refused" | "failed";
  /** Refusal code. */
  refusal: string | null;
  order: Order | null;
  seen: string[];
}

export interface Device {
  /** The newest version of every order known to this device, from facts and from the replies to its own commands. */
  readonly knownOrders: ReadonlyMap<string, Order>;
  /** Numbers of the received facts, in order of arrival. */
  readonly facts: readonly number[];
  live(): boolean;
  /** The positions that the member would see; null while not loaded. */
  positions(): readonly Order[] | null;
  tab(statuses: readonly OrderStatus[]): readonly Order[] | null;
  /** Sends a command like a form. `planned` receives its id before it is sent. A command that never arrived is sent again. */
  command<Name extends CommandName>(
    name: Name,
    values: Omit<Asked<Name>, "requestId">,
    planned: (requestId: string) => void,
    taps?: number,
  ): Promise<Ending>;
  stop(): void;
}

const TABS = ["holding", "pending", "closed", "cancelled"] as const;

/** Provides the browser globals that the app needs, and keeps the process's own network and files. */
export function openBrowser(url: string, stored: Readonly<Record<string, string>>): void {
  const window = new Window({ url: `${url}/` });
  for (const [name, value] of Object.entries(stored)) window.localStorage.setItem(name, value);
  const { document, XMLHttpRequest } = window;
  const requestAnimationFrame = (paint: () => void): unknown => setTimeout(paint, 16);
  Object.assign(globalThis, { window, document, XMLHttpRequest, requestAnimationFrame });
}

/** Starts the app with the session in the browser's storage, watching one instrument. */
export async function openDevice(code: string): Promise<Device> {
  vi.resetModules();
  const { linkTo, post } = await import("#src/streams/worker-link.ts");
  const { marketApi: marketDoor } = await import("#workers/api.ts");
  const { openSocket } = await import("#workers/connection/transport.ts");
  const market = marketDoor(openSocket);
  linkTo(async () => ({ api: market as unknown as RemoteMarketApi, port: market.open() }));
  const { withRequestEffects: handed, acceptPushedOrder } = await import("#src/actors/request-effects.ts");
  const { startSession } = await import("#src/actors/session.ts");
  const { startMarket, stopMarket } = await import("#src/streams/market.ts");
  const { orderFacts$ } = await import("#src/streams/facts.ts");
  const { connection$ } = await import("#src/streams/connection.ts");
  const { ORDER_TABS, orders, positions, takeOrder } = await import("#src/streams/orders.ts");

  const knownOrders = new Map<string, Order>();
  const facts: number[] = [];
  let live = false;
  const take = (order: Order): void => {
    if ((knownOrders.get(order.orderNo)?.version ?? 0) < order.version) knownOrders.set(order.orderNo, order);
  };
  const watching = [
    orderFacts$.subscribe(({ n, order }) => {
      facts.push(n);
      take(order);
    }),
    connection$.subscribe(({ state }) => (live = state === "live")),
    positions.state$.subscribe(),
    ...TABS.map((tab) => orders[tab].state$.subscribe()),
  ];
  startSession();
  startMarket();
  // Without a watched cell the worker sends no frames.
  post({ kind: "cells", mount: [1, code, 0], unmount: [] });

  const command: Device["command"] = async (name, values, planned, taps = 1) => {
    const seen: string[] = [];
    const hands = {
      onAccepted: (answer: unknown) => {
        const order = answer as Order;
        if (!("orderNo" in order)) return;
        take(order);
        takeOrder(order);
      },
    };
    const machine = handed(name, () => hands).provide({ delays: { reviewGuard: 0, askAgain: 250, coolDown: 250 } });
    const actor = createActor(machine, { input: { reviews: true } });
    actor.subscribe(({ value }) => {
      const state = typeof value === "string" ? value : "reviewing";
      if (seen.at(-1) !== state) seen.push(state);
    });
    actor.start();
    const ended = (states: readonly string[]) =>
      waitFor(actor, (snapshot) => states.some((state) => snapshot.matches(state as never)), { timeout: Number.POSITIVE_INFINITY });
    const idOf = (): string => actor.getSnapshot().context.requestId ?? "";
    const learning = orderFacts$.subscribe(({ order }) => {
      const unresolved = ["submitting", "unknown", "asking", "notReceived"].some((state) => actor.getSnapshot().matches(state as never));
      if (name !== "placeOrder" || order.requestId !== idOf() || !unresolved) return;
      void acceptPushedOrder(order.requestId, order, hands);
      actor.send({ type: "OUTCOME_RECEIVED", answer: order });
    });
    actor.send({ type: "SUBMIT", values });
    const begun = await waitFor(actor, (snapshot) => snapshot.matches({ reviewing: "ready" }) || snapshot.matches("editing"));
    if (begun.matches("editing")) throw new Error(`${name} was not sent: ${JSON.stringify(begun.context.problems)}`);
    planned(idOf());
    for (let tap = 0; tap < taps; tap += 1) actor.send({ type: "CONFIRM" });
    for (;;) {
      const { value } = await ended(["accepted", "refused", "failed", "notReceived"]);
      if (value !== "notReceived") break;
      actor.send({ type: "SEND_AGAIN" });
    }
    learning.unsubscribe();
    const { value, context } = actor.getSnapshot();
    const order = context.answer as Order | null;
    return { name, requestId: idOf(), state: value as Ending["state"], refusal: context.refusal?.code ?? null, order, seen };
  };

  return {
    knownOrders,
    facts,
    live: () => live,
    positions: () => positions.now().value,
    tab: (statuses) => {
      const tab = TABS.find((one) => ORDER_TABS[one].join() === statuses.join());
      return (tab && orders[tab].now().value?.items) ?? null;
    },
    command,
    stop: () => {
      for (const one of watching) one.unsubscribe();
      stopMarket();
    },
  };
}
