/** The member's positions, grouped by instrument, side, funding and day trade from the orders held. */
import { useMemo } from "react";
import { map } from "rxjs";
import type { Observable } from "rxjs";
import type { Order } from "#contract/order.ts";
import { positionsOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import { positions } from "./orders.ts";
import { useResource } from "./resource.ts";
import type { Read } from "./resource.ts";

/** Groups of each list of orders: several components of a screen show the same list. */
const grouped = new WeakMap<readonly Order[], readonly Position[]>();

function groupsOf(orders: readonly Order[]): readonly Position[] {
  const known = grouped.get(orders) ?? positionsOf(orders);
  grouped.set(orders, known);
  return known;
}

/** Every position, the one with the newest order first; null while the orders are not known. */
export const positions$: Observable<readonly Position[] | null> = positions.state$.pipe(
  map(({ value }) => (value === null ? null : groupsOf(value))),
);

/** Every position, with the loading state of the orders held. */
export function usePositions(): Read<readonly Position[]> {
  const read = useResource(positions);
  return { ...read, value: read.value === null ? null : groupsOf(read.value) };
}

/** The positions of one instrument: long and short, in cash and financed; empty while they are not known. */
export function usePositionsOf(code: string): readonly Position[] {
  const { value } = usePositions();
  return useMemo(() => (value ?? []).filter((position) => position.code === code), [value, code]);
}
