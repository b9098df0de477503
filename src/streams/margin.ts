/** The margin account with its calls: read once, then moved by its facts; and how well it is covered at the newest prices. */
import { combineLatest, map, of, switchMap } from "rxjs";
import type { Observable } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { price } from "#contract/kernel/money.ts";
import { isOnMargin } from "#contract/margin.ts";
import type { Covered, MarginAccount, MarginCall } from "#contract/margin.ts";
import type { Order } from "#contract/order.ts";
import { call } from "#src/gateway/api.ts";
import { marginFacts$ } from "./facts.ts";
import { positions } from "./orders.ts";
import { profit$ } from "./profits.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Margin = Answer<"readMargin">;

/** The account as it is now: of two versions the newer stands, and its call takes its place among the calls. */
function ontoMargin(account: MarginAccount): Delta<Margin> {
  return (known) => {
    if (known.account.version >= account.version) return known;
    const { call: last } = account;
    const calls = last === null ? known.calls : [last, ...known.calls.filter(({ callNo }) => callNo !== last.callNo)];
    return { account, calls };
  };
}

/** The account and its calls, newest first. */
export const margin: Resource<Margin> = resource<Margin>({
  load: () => call("readMargin", {}, { shownByCaller: true }),
  deltas$: marginFacts$.pipe(map(({ account }) => ontoMargin(account))),
});

/** Read the margin account in a component. */
export function useMargin(): Read<Margin> {
  return useResource(margin);
}

/** Take over what a command answered, without waiting for its fact. */
export function takeMargin(account: MarginAccount): void {
  margin.change(ontoMargin(account));
}

/** The call that can still be met; the account also tells of the one that has just ended. */
export function underWay({ call: last }: Pick<MarginAccount, "call">): MarginCall | null {
  return last?.endedAt === null ? last : null;
}

/** Every margin position with its newest price; null while one of them has none, and while they are not known. */
export const covered$: Observable<readonly Covered[] | null> = positions.state$.pipe(
  map(({ value }) => value?.filter(isOnMargin) ?? null),
  switchMap((held) =>
    held === null || held.length === 0
      ? of(held && [])
      : combineLatest(
          held.map((order) => profit$(order.orderNo).pipe(map((told) => (told.price > 0 ? withPrice(order, told.price) : null)))),
        ).pipe(map((each) => (each.includes(null) ? null : each.filter((one) => one !== null)))),
  ),
);

const withPrice = (order: Order, at: number): Covered => ({ ...order, at: price(at) });
