/** The member's orders: by status in pages, single orders by number, and the open positions that the worker values live. */
import { distinctUntilChanged, filter, map, scan, startWith } from "rxjs";
import type { Observable } from "rxjs";
import type { OrderFact } from "#contract/fact.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { eventOf } from "#contract/order-timeline.ts";
import type { Fill, Order, OrderDetail, OrderStatus } from "#contract/order.ts";
import { call } from "#src/gateway/api.ts";
import { orderFacts$ } from "./facts.ts";
import { pagedResource } from "./pages.ts";
import type { PagedResource, Pages } from "./pages.ts";
import { setPositions } from "./profits.ts";
import { resource, resourceByKey } from "./resource.ts";
import type { Delta, Resource } from "./resource.ts";

/** The trade screen's tabs with the statuses each one shows. */
export const ORDER_TABS = {
  holding: ["holding", "readyToClose"],
  pending: ["pending"],
  closed: ["closed"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly OrderStatus[]>;
export type OrderTab = keyof typeof ORDER_TABS;

/** As many orders as one command may name. */
const RECENT = 500;
/** The orders of the latest facts: a fact may overtake the answer to the command before it. */
const recent = new Map<OrderNo, Order>();

orderFacts$.subscribe(({ order }) => {
  recent.delete(order.orderNo);
  recent.set(order.orderNo, order);
  const [oldest] = recent.keys();
  if (recent.size > RECENT && oldest) recent.delete(oldest);
});

/** An order as an answer has it, or as a later fact does. */
function newest(order: Order): Order {
  const known = recent.get(order.orderNo);
  return known && known.version > order.version ? known : order;
}

const isOpen = (order: Order): boolean => order.filledLots > order.closedLots;

/** Newest first, as the server sorts them. */
const newestFirst = (a: Order, b: Order): number => b.placedAt - a.placedAt || (a.orderNo < b.orderNo ? 1 : -1);

/**
 * Apply a changed order to a list: the newer version wins, one that no longer `belongs` is removed, a new one is inserted.
 * @returns the same list when nothing changed
 */
export function withOrder(orders: readonly Order[], order: Order, belongs: boolean): readonly Order[] {
  const known = orders.find((one) => one.orderNo === order.orderNo);
  if (known ? known.version >= order.version : !belongs) return orders;
  const others = orders.filter((one) => one.orderNo !== order.orderNo);
  return belongs ? [...others, order].toSorted(newestFirst) : others;
}

function ontoPages(order: Order, statuses: readonly OrderStatus[]): Delta<Pages<Order>> {
  return (pages) => {
    const last = pages.items.at(-1);
    const beyond = pages.next !== null && last !== undefined && newestFirst(last, order) < 0;
    const known = pages.items.some((one) => one.orderNo === order.orderNo);
    // Older than the loaded pages: it will come with its page.
    if (beyond && !known) return pages;
    const items = withOrder(pages.items, order, statuses.includes(order.status));
    return items === pages.items ? pages : { ...pages, items };
  };
}

function ordersOf(tab: OrderTab): PagedResource<Order> {
  const statuses = ORDER_TABS[tab];
  return pagedResource<Order>({
    load: (cursor) => call("listOrders", { statuses: [...statuses], cursor }, { shownByCaller: true }),
    deltas$: orderFacts$.pipe(map(({ order }) => ontoPages(order, statuses))),
    keyOf: (order) => order.orderNo,
  });
}

/** Orders of each tab, newest first. */
export const orders: Record<OrderTab, PagedResource<Order>> = {
  holding: ordersOf("holding"),
  pending: ordersOf("pending"),
  closed: ordersOf("closed"),
  cancelled: ordersOf("cancelled"),
};

/** Everything the member holds, including the filled part of a pending order. */
export const positions: Resource<readonly Order[]> = resource<readonly Order[]>({
  load: async () => {
    const outcome = await call("listPositions", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.positions } : outcome;
  },
  deltas$: orderFacts$.pipe(
    map(
      ({ order }) =>
        (held: readonly Order[]) =>
          withOrder(held, order, isHeld(order)),
    ),
  ),
});

const isHeld = (order: Order): boolean => isOpen(order) && (order.status === "holding" || order.status === "readyToClose");

/** Keep the worker's list of positions up to date. @returns a function that stops it and forgets the list */
export function valuePositions(): () => void {
  const watching = positions.state$.subscribe(({ value }) => setPositions(value));
  return () => {
    watching.unsubscribe();
    setPositions(null);
  };
}

function ontoDetail(fact: OrderFact): Delta<OrderDetail> {
  const { order, fills } = fact;
  const event = eventOf(fact);
  return (detail) => {
    if (detail.order.orderNo !== order.orderNo || detail.order.version >= order.version) return detail;
    return {
      ...detail,
      order,
      fills: [...detail.fills, ...fills.filter((fill) => !detail.fills.some((known) => sameFill(known, fill)))],
      events: event ? [...detail.events, event] : detail.events,
    };
  };
}

const sameFill = (a: Fill, b: Fill): boolean => a.at === b.at && a.side === b.side && a.level === b.level && a.price === b.price;

/** One order with its fills, updated by facts. */
export const orderDetail: (orderNo: OrderNo) => Resource<OrderDetail> = resourceByKey((orderNo: OrderNo) => ({
  load: () => call("readOrder", { orderNo }, { shownByCaller: true }),
  deltas$: orderFacts$.pipe(
    filter(({ order }) => order.orderNo === orderNo),
    map((fact) => {
      // The fact does not contain the corporate action's effects: reload this order.
      if (fact.type === "order.adjusted") orderDetail(orderNo).refetch();
      return ontoDetail(fact);
    }),
  ),
}));

/** Orders from a command's answer, each replaced by newer versions as facts arrive, those before the subscription among them. */
export function newestOrders$(answered: readonly Order[]): Observable<readonly Order[]> {
  return orderFacts$.pipe(
    startWith(null),
    scan<unknown, readonly Order[]>((known) => known.map(newest), answered),
    distinctUntilChanged((before, now) => before.every((order, nth) => order === now[nth])),
  );
}

const isOrder = (one: unknown): one is Order => typeof one === "object" && one !== null && "orderNo" in one && "filledLots" in one;

/** Every order in a command's answer: the answer itself, its properties, or the elements of its arrays. */
export function ordersIn(answer: unknown): Order[] {
  if (isOrder(answer)) return [answer];
  if (typeof answer !== "object" || answer === null) return [];
  return Object.values(answer)
    .flat()
    .filter((one) => isOrder(one));
}

/** Apply an order from a command's answer, without waiting for its fact. */
export function takeOrder(answered: Order): void {
  const order = newest(answered);
  for (const tab of Object.keys(ORDER_TABS) as OrderTab[]) orders[tab].change(ontoPages(order, ORDER_TABS[tab]));
  positions.change((held) => withOrder(held, order, isHeld(order)));
  // The answer lacks the fills; reload the detail if it is known.
  const detail = orderDetail(order.orderNo);
  if (detail.now().value) detail.refetch();
}
