/** The member's conditions (exit orders and triggers): loaded once, then updated by facts. */
import { map } from "rxjs";
import type { Condition } from "#contract/condition.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { call } from "#src/gateway/api.ts";
import { conditionFacts$ } from "./facts.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

type Conditions = readonly Condition[];

/** Apply a condition to a list: the newer version wins, of one version the later, a new condition goes first. */
export function withCondition(list: Conditions, condition: Condition): Conditions {
  const known = list.find(({ conditionNo }) => conditionNo === condition.conditionNo);
  if (!known) return [condition, ...list];
  if (known.version > condition.version) return list;
  return list.map((one) => (one === known ? condition : one));
}

const onto =
  (changed: Conditions): Delta<Conditions> =>
  (list) =>
    changed.toReversed().reduce(withCondition, list);

async function read(orderNo: OrderNo | null) {
  const outcome = await call("listConditions", { orderNo }, { shownByCaller: true });
  return outcome.ok ? { ...outcome, data: outcome.data.conditions } : outcome;
}

/** The waiting conditions of all orders and the recently ended ones, newest first. */
const conditions: Resource<Conditions> = resource<Conditions>({
  load: () => read(null),
  deltas$: conditionFacts$.pipe(map(({ condition }) => onto([condition]))),
});

/** All conditions of one order, newest first. */
const conditionsOf = resourceByKey<OrderNo, Conditions>((orderNo) => ({
  load: () => read(orderNo),
  deltas$: conditionFacts$.pipe(map(({ condition }) => (condition.orderNo === orderNo ? onto([condition]) : (same) => same))),
}));

/** Apply conditions from a command's answer, without waiting for their facts. */
export function takeConditions(orderNo: OrderNo, changed: Conditions): void {
  conditions.change(onto(changed));
  conditionsOf(orderNo).change(onto(changed));
}

/** Read the conditions of all orders in a component. */
export function useConditions(): Read<Conditions> {
  return useResource(conditions);
}

/** Read the conditions of one order in a component. */
export function useConditionsOf(orderNo: OrderNo): Read<Conditions> {
  return useResource(conditionsOf(orderNo));
}
