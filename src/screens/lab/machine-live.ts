/** Live state-machine activity for the lab: this page's actors and the member's facts, newest first, in a ring buffer. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { merge, Subscription } from "rxjs";
import { isAlertFact, isConditionFact, isMarginFact, isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import type { Order } from "#contract/order.ts";
import { runningNow, watchSteps } from "#src/actors/inspect.ts";
import { visitActors } from "#src/actors/registry.ts";
import type { Running, Step } from "#src/actors/inspect.ts";
import { alerts } from "#src/streams/alerts.ts";
import { facts$ } from "#src/streams/facts.ts";
import { orders } from "#src/streams/orders.ts";

/** A listed step; a repeated step only increases `times`. */
export interface Entry extends Step {
  n: number;
  times: number;
}

export interface Live {
  entries: readonly Entry[];
  running: readonly Running[];
}

const RING = 200;
/** More frequent updates could not be read. */
const UPDATE_EVERY_MS = 250;

const same = (a: Step, b: Step): boolean =>
  a.actor === b.actor && a.event === b.event && JSON.stringify(a.state) === JSON.stringify(b.state);

/** The last steps, newest first. */
export class StepRing {
  #entries: readonly Entry[] = [];
  #n = 0;

  readonly #size: number;

  constructor(size = RING) {
    this.#size = size;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  push(step: Step): void {
    const [newest, ...older] = this.#entries;
    if (newest && same(newest, step)) {
      this.#entries = [{ ...step, n: newest.n, times: newest.times + 1 }, ...older];
      return;
    }
    this.#n += 1;
    this.#entries = [{ ...step, n: this.#n, times: 1 }, ...this.#entries.slice(0, this.#size - 1)];
  }

  clear(): void {
    this.#entries = [];
  }
}

/** The detailed state of an order; a pending order's status does not tell how far it is. */
export function stateOf({
  status,
  trigger,
  filledLots,
  reservedFor,
}: Pick<Order, "status" | "trigger" | "filledLots" | "reservedFor">): unknown {
  if (reservedFor !== undefined) return { [status]: "reserved" };
  if (status !== "pending") return status;
  return { pending: trigger !== null ? "conditional" : filledLots > 0 ? "partlyFilled" : "queued" };
}

/** A fact as a step of the entity it concerns; null when it is no lifecycle step. */
export function stepOf(fact: Fact): Step | null {
  const step = (machine: string, actor: string, name: string, state: unknown): Step => ({
    at: fact.at,
    machine,
    actor,
    name,
    event: fact.type,
    payload: { n: fact.n },
    state,
  });
  if (isOrderFact(fact)) return step("order", fact.order.orderNo, fact.order.code, stateOf(fact.order));
  if (isAlertFact(fact)) return step("alert", fact.alert.id, fact.alert.code, fact.alert.status);
  if (isConditionFact(fact)) return step("condition", fact.condition.conditionNo, fact.condition.code, fact.condition.status);
  if (isMarginFact(fact) && fact.account.call) return step("marginCall", fact.account.call.callNo, "", fact.account.call.status);
  return null;
}

class MachineLog {
  readonly #ring = new StepRing();
  /** Latest state by entity, from facts; the streams' lists of orders and alerts are more complete and take precedence. */
  readonly #fromFacts = new Map<string, Running>();
  readonly #listeners = new Set<() => void>();
  #snapshot: Live = { entries: [], running: [] };
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly watch = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  };

  readonly read = (): Live => this.#snapshot;

  readonly clear = (): void => {
    this.#ring.clear();
    this.#update();
  };

  /** @returns a function that stops it */
  start(signedIn: boolean): () => void {
    const record = (step: Step): void => {
      this.#ring.push(step);
      this.#scheduleUpdate();
    };
    const stops = [watchSteps(record), visitActors(() => this.#scheduleUpdate())];
    const subscription = new Subscription();
    subscription.add(
      facts$.subscribe((fact) => {
        const step = stepOf(fact);
        if (!step) return;
        this.#fromFacts.set(step.actor, step);
        record(step);
      }),
    );
    if (signedIn) {
      subscription.add(merge(orders.pending.state$, orders.holding.state$, alerts.state$).subscribe(() => this.#scheduleUpdate()));
    }
    this.#update();
    return () => {
      for (const stop of stops) stop();
      subscription.unsubscribe();
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  #scheduleUpdate(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#update();
    }, UPDATE_EVERY_MS);
  }

  #update(): void {
    const running = new Map(this.#fromFacts);
    for (const order of [...(orders.pending.now().value?.items ?? []), ...(orders.holding.now().value?.items ?? [])]) {
      running.set(order.orderNo, { machine: "order", actor: order.orderNo, name: order.code, state: stateOf(order) });
    }
    for (const alert of alerts.now().value ?? []) {
      running.set(alert.id, { machine: "alert", actor: alert.id, name: alert.code, state: alert.status });
    }
    this.#snapshot = { entries: this.#ring.entries, running: [...runningNow(), ...running.values()] };
    for (const changed of this.#listeners) changed();
  }
}

/** Record while the component is mounted. */
export function useLive(signedIn: boolean): Live & { clear: () => void } {
  const [log] = useState(() => new MachineLog());
  useEffect(() => log.start(signedIn), [log, signedIn]);
  const live = useSyncExternalStore(log.watch, log.read);
  return { ...live, clear: log.clear };
}

/** Every state in a state value, including parents: `polling.fresh` also yields `polling`. */
export function statesIn(value: unknown, above = ""): string[] {
  if (typeof value === "string") return [above + value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [above + name, ...statesIn(inner, `${above}${name}.`)]);
}
