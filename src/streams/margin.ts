/** The margin account with its margin calls: loaded once, then updated by facts; and its coverage at the latest prices. */
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

/** Apply an account update: the newer version wins, and its margin call replaces the same one in the list or leads it. */
function ontoMargin(account: MarginAccount): Delta<Margin> {
  return (known) => {
    if (known.account.version >= account.version) return known;
    const { call: last } = account;
    const calls = last === null ? known.calls : [last, ...known.calls.filter(({ callNo }) => callNo !== last.callNo)];
    return { account, calls };
  };
}

/** The account and its margin calls, newest first. */
export const margin: Resource<Margin> = resource<Margin>({
  load: () => call("readMargin", {}, { shownByCaller: true }),
  deltas$: marginFacts$.pipe(map(({ account }) => ontoMargin(account))),
});

/** Read the margin account in a component. */
export function useMargin(): Read<Margin> {
  return useResource(margin);
}

/** Apply a command's answer, without waiting for its fact. */
export function takeMargin(account: MarginAccount): void {
  margin.change(ontoMargin(account));
}

/** The margin call that can still be met; the account also carries one that has just ended. */
export function openCallOf({ call: last }: Pick<MarginAccount, "call">): MarginCall | null {
  return last?.endedAt === null ? last : null;
}

/** Every margin position with its latest price; null while positions are unknown or one has no price. */
export const covered$: Observable<readonly Covered[] | null> = positions.state$.pipe(
  map(({ value }) => value?.filter(isOnMargin) ?? null),
  switchMap((held) =>
    held === null || held.length === 0
      ? of(held && [])
      : combineLatest(
          held.map((order) => profit$(order.orderNo).pipe(map((update) => (update.price > 0 ? withPrice(order, update.price) : null)))),
        ).pipe(map((each) => (each.includes(null) ? null : each.filter((one) => one !== null)))),
  ),
);

const withPrice = (order: Order, at: number): Covered => ({ ...order, at: price(at) });
