/** The margin account: read once with its calls, moved by its facts. */
import { map } from "rxjs";
import type { MarginAccount, MarginCall } from "#contract/margin.ts";
import { call } from "#src/gateway/api.ts";
import { marginFacts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export interface Margin {
  account: MarginAccount;
  calls: readonly MarginCall[];
}

/** The account as it is now: of two versions the newer stands. */
function ontoMargin(account: MarginAccount): Delta<Margin> {
  return (margin) => {
    if (margin.account.version >= account.version) return margin;
    const { call: open } = account;
    const calls = open === null ? margin.calls : [open, ...margin.calls.filter(({ callNo }) => callNo !== open.callNo)];
    return { account, calls };
  };
}

export const margin: Resource<Margin> = resource<Margin>({
  load: () => call("readMargin", {}, { shownByCaller: true }),
  deltas$: marginFacts$.pipe(map(({ account }) => ontoMargin(account))),
});

/** Read the margin account in a component. */
export function useMargin(): Read<Margin> {
  return useResource(margin);
}
