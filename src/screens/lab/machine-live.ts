/** What the machines do while the lab looks: the actors of this page and the facts the broker tells, newest first, as many as a ring holds. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { merge, Subscription } from "rxjs";
import { isAlertFact, isConditionFact, isMarginFact, isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import type { Order } from "#contract/order.ts";
import { runningNow, visitActors, watchSteps } from "#src/actors/inspect.ts";
import type { Running, Step } from "#src/actors/inspect.ts";
import { alerts } from "#src/streams/alerts.ts";
import { facts$ } from "#src/streams/facts.ts";
import { orders } from "#src/streams/orders.ts";

/** A step as it is listed; the same step again only counts. */
export interface Entry extends Step {
  n: number;
  times: number;
}

export interface Live {
  entries: readonly Entry[];
  running: readonly Running[];
}

const RING = 200;
/** A page is read, not watched: so often is enough. */
const SHOW_EVERY_MS = 250;

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

/** How far along a pending order is, of which its status says nothing. */
export function stateOf({ status, trigger, filledLots }: Pick<Order, "status" | "trigger" | "filledLots">): unknown {
  if (status !== "pending") return status;
  return { pending: trigger !== null ? "conditional" : filledLots > 0 ? "partlyFilled" : "queued" };
}

/** A fact as a step of the thing it is about; null for one that is no step of a lifecycle. */
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
  /** What facts told of, by what it is; the lists of the streams know more of orders and alerts. */
  readonly #told = new Map<string, Running>();
  readonly #watchers = new Set<() => void>();
  #shown: Live = { entries: [], running: [] };
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  readonly read = (): Live => this.#shown;

  readonly clear = (): void => {
    this.#ring.clear();
    this.#show();
  };

  /** @returns how to stop */
  start(signedIn: boolean): () => void {
    const take = (step: Step): void => {
      this.#ring.push(step);
      this.#soon();
    };
    const stops = [watchSteps(take), visitActors(() => this.#soon())];
    const following = new Subscription();
    following.add(
      facts$.subscribe((fact) => {
        const step = stepOf(fact);
        if (!step) return;
        this.#told.set(step.actor, step);
        take(step);
      }),
    );
    if (signedIn) {
      following.add(merge(orders.pending.state$, orders.holding.state$, alerts.state$).subscribe(() => this.#soon()));
    }
    this.#show();
    return () => {
      for (const stop of stops) stop();
      following.unsubscribe();
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#show();
    }, SHOW_EVERY_MS);
  }

  #show(): void {
    const kept = new Map(this.#told);
    for (const order of [...(orders.pending.now().value?.items ?? []), ...(orders.holding.now().value?.items ?? [])]) {
      kept.set(order.orderNo, { machine: "order", actor: order.orderNo, name: order.code, state: stateOf(order) });
    }
    for (const alert of alerts.now().value ?? []) {
      kept.set(alert.id, { machine: "alert", actor: alert.id, name: alert.code, state: alert.status });
    }
    this.#shown = { entries: this.#ring.entries, running: [...runningNow(), ...kept.values()] };
    for (const changed of this.#watchers) changed();
  }
}

/** Look while the component is there. */
export function useLive(signedIn: boolean): Live & { clear: () => void } {
  const [log] = useState(() => new MachineLog());
  useEffect(() => log.start(signedIn), [log, signedIn]);
  const live = useSyncExternalStore(log.watch, log.read);
  return { ...live, clear: log.clear };
}

/** Every state a running machine is in, with those it is part of: `polling.fresh` is `polling`, too. */
export function statesIn(value: unknown, above = ""): string[] {
  if (typeof value === "string") return [above + value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [above + name, ...statesIn(inner, `${above}${name}.`)]);
}
