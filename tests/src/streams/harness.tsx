/** Test environment for member streams: a mock broker, hooks rendered in a component, recorded toasts. */
import { act } from "react";
import { createRoot } from "react-dom/client";
import i18next from "i18next";
import type { Observable } from "rxjs";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import en from "#locales/en.json";
import { toasts$ } from "#src/gateway/toasts.ts";
import { forgetAll } from "#src/streams/resource.ts";
import { broker, resetBroker, received } from "#tests/src/gateway/broker.ts";

/** A member with an empty account. */
export const OVERVIEW = {
  account: "KS1",
  name: "林*潮",
  identity: "verified" as const,
  facts: {
    identity: "verified" as const,
    restrictions: [],
    fundPassword: false,
    agreements: [],
    cards: 0,
    debtCents: 0,
    loanCents: 0,
    minor: false,
    slowedUntil: null,
  },
  currency: "TWD" as const,
  totalCents: 0,
  availableCents: 0,
  frozenCents: 0,
  walletsCents: 0,
  profitFundsCents: 0,
  futuresWalletCents: 0,
  foreignCents: 0,
  usdCents: 0,
  borrowedCents: 0,
  creditLimitCents: 0,
  unsettledCents: 0,
  dayProceeds: [],
  debtCents: 0,
  loanCents: 0,
  positionsCents: 0,
  rightsCents: 0,
  futuresCents: 0,
  futuresTodayCents: 0,
  optionsCents: 0,
  optionsTodayCents: 0,
  openFutures: 0,
  openOptions: 0,
  realisedCents: 0,
  todayRealisedCents: 0,
  todayProfitCents: 0,
  currentProfitCents: 0,
  creditScore: 100,
  shared: false,
  unread: 1,
};

/** The toasts shown since the test started. */
export const toasts: string[] = [];
let stops: (() => unknown)[] = [];

/** Watches a resource until the test ends. */
export function watch(one: { state$: Observable<unknown> }): void {
  const watching = one.state$.subscribe();
  stops.push(() => watching.unsubscribe());
}

/** The request bodies an endpoint received, oldest first. */
export const bodies = (name: string): unknown[] => received.filter((one) => one.name === name).map(({ body }) => body);

/** A gate that delays an answer until it is opened. */
export function held(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}

/** Runs a hook in a component until the test ends. @returns a function that gives its latest value */
export async function using<Given>(hook: () => Given): Promise<() => Given> {
  let given: Given | undefined;
  const root = createRoot(document.createElement("div"));
  stops.push(() => act(async () => root.unmount()));
  function Uses() {
    given = hook();
    return null;
  }
  await act(async () => root.render(<Uses />));
  return () => given as Given;
}

/** Sets up the environment for a test file, and resets it between tests. */
export function setUpHarness(): void {
  beforeAll(async () => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    await i18next.init({ lng: "en", resources: { en: { translation: en } } });
    broker.listen({ onUnhandledRequest: "error" });
    toasts$.subscribe(({ text }) => toasts.push(text));
  });
  afterAll(() => broker.close());
  beforeEach(() => {
    resetBroker();
    forgetAll(false);
    toasts.length = 0;
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    stops = [];
  });
}
