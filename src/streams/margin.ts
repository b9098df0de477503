/** The margin account with its calls: read once, then moved by its facts; and how well it is covered at the newest prices. */
import { combineLatest, map, of, switchMap } from "rxjs";
import type { Observable } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import type { MarginFact } from "#contract/fact.ts";
import type { MarginAccount, MarginCall } from "#contract/margin.ts";
import type { Order } from "#contract/order.ts";
import { call } from "#src/gateway/api.ts";
import { marginFacts$ } from "./facts.ts";
import { positions } from "./orders.ts";
import { profit$ } from "./profits.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Margin = Answer<"readMargin">;

/** The calls after the account changed: the one under way as it stands now, or ended when there is none any more. */
function callsAfter(calls: readonly MarginCall[], now: MarginCall | null, ended: (call: MarginCall) => MarginCall): MarginCall[] {
  const before = calls.map((one) => {
    if (one.callNo === now?.callNo) return now;
    return one.endedAt === null ? ended(one) : one;
  });
  return now && !calls.some(({ callNo }) => callNo === now.callNo) ? [now, ...before] : before;
}

function onto(account: MarginAccount, ended: (call: MarginCall) => MarginCall): Delta<Margin> {
  return (known) => (known.account.version >= account.version ? known : { account, calls: callsAfter(known.calls, account.call, ended) });
}

const ontoMargin = ({ account, type, at }: MarginFact): Delta<Margin> =>
  onto(account, (one) => ({ ...one, status: type === "margin.liquidated" ? "liquidated" : "cleared", endedAt: at }));

/** The account and its calls, newest first. */
export const margin: Resource<Margin> = resource<Margin>({
  load: () => call("readMargin", {}, { shownByCaller: true }),
  deltas$: marginFacts$.pipe(map(ontoMargin)),
});

/** Read the margin account in a component. */
export function useMargin(): Read<Margin> {
  return useResource(margin);
}

/** Take over what a command answered, without waiting for its fact; a call it ended is told in full by the fact. */
export function takeMargin(account: MarginAccount): void {
  margin.change((known) => (known.account.version >= account.version ? known : { ...known, account }));
}

/** Whether an order is financed by the margin account. */
export const onMargin = ({ funding }: Pick<Order, "funding">): boolean => funding === "margin";

/** What covers a margin account, and what it owes, in cents. */
export interface Cover {
  coverCents: number;
  owedCents: number;
}

/** What one position adds to the cover and to what is owed, worth `nowCents`. */
export function coverOf(order: Pick<Order, "direction" | "loanCents" | "interestCents" | "collateralCents">, nowCents: number): Cover {
  const owedCents = order.loanCents + order.interestCents;
  return order.direction === "rise"
    ? { coverCents: nowCents, owedCents }
    : { coverCents: order.collateralCents, owedCents: owedCents + nowCents };
}

/** Cover over debt in hundredths of a percent; null while nothing is owed. */
export function ratioOf(covers: readonly Cover[], addedCents: number): number | null {
  const owed = covers.reduce((sum, { owedCents }) => sum + owedCents, 0);
  const cover = covers.reduce((sum, { coverCents }) => sum + coverCents, addedCents);
  return owed <= 0 ? null : Number((BigInt(cover) * 10_000n) / BigInt(owed));
}

/** Cover of every margin position with every price; null while one of them has none, and while they are not known. */
export const covers$: Observable<readonly Cover[] | null> = positions.state$.pipe(
  map(({ value }) => value?.filter(onMargin) ?? null),
  switchMap((held) =>
    held === null || held.length === 0
      ? of(held && [])
      : combineLatest(
          held.map((order) => profit$(order.orderNo).pipe(map(({ profit }) => (profit ? coverOf(order, profit.nowCents) : null)))),
        ).pipe(map((covers) => (covers.includes(null) ? null : covers.filter((one) => one !== null)))),
  ),
);
