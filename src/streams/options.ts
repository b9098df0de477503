/** TAIEX options: the chain of an expiry with the member's open positions and wallet, read again at intervals while shown and at each fact; what an order would cost; positions and trades in pages. */
import { filter, map, merge, timer } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isOptionFact } from "#contract/fact-kind.ts";
import type { OptionPosition, OptionSide, OptionTrade } from "#contract/option.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Options = Answer<"readOptions">;
export type OptionCost = Answer<"quoteOption">;
export type OptionPairCost = Answer<"quoteOptionPair">;

const READ_EVERY_MS = 2_000;
const optionFacts$ = facts$.pipe(filter(isOptionFact));
const moneyFacts$ = facts$.pipe(filter(({ type }) => type === "wallet.changed"));
const ticks$ = timer(READ_EVERY_MS, READ_EVERY_MS);

const chains: (month: string) => Resource<Options> = resourceByKey<string, Options>((month) => ({
  load: () => call("readOptions", { month: month === "" ? null : month }, { shownByCaller: true }),
  deltas$: refetchAfter<Options>(merge(optionFacts$, moneyFacts$, ticks$), () => chains(month)),
}));

/** What an opening trade would cost, by series, side and lots. */
const costs: (key: string) => Resource<OptionCost> = resourceByKey<string, OptionCost>((key) => {
  const [series = "", side = "buy", lots = "1"] = key.split(" ");
  return {
    load: () => call("quoteOption", { series, side: side as OptionSide, lots: Number(lots) }, { shownByCaller: true }),
    deltas$: refetchAfter<OptionCost>(merge(moneyFacts$, ticks$), () => costs(key)),
  };
});

/** What closing lots of a position would bring, by position and lots. */
const closings: (key: string) => Resource<OptionCost> = resourceByKey<string, OptionCost>((key) => {
  const [positionNo = "", lots = "1"] = key.split(" ");
  return {
    load: () => call("quoteCloseOption", { positionNo, lots: Number(lots) }, { shownByCaller: true }),
    deltas$: refetchAfter<OptionCost>(merge(moneyFacts$, ticks$), () => closings(key)),
  };
});

/** What closing lots of two positions together would bring, by positions and lots. */
const pairs: (key: string) => Resource<OptionPairCost> = resourceByKey<string, OptionPairCost>((key) => {
  const [positionNo = "", otherNo = "", lots = "1"] = key.split(" ");
  return {
    load: () => call("quoteOptionPair", { positionNo, otherNo, lots: Number(lots) }, { shownByCaller: true }),
    deltas$: refetchAfter<OptionPairCost>(merge(moneyFacts$, ticks$), () => pairs(key)),
  };
});

const positions: PagedResource<OptionPosition> = pagedResource<OptionPosition>({
  load: (cursor) => call("listOptionPositions", { cursor }, { shownByCaller: true }),
  deltas$: optionFacts$.pipe(map(({ position }) => withNewest("items", position, "positionNo"))),
  keyOf: ({ positionNo }) => positionNo,
});

const trades: PagedResource<OptionTrade> = pagedResource<OptionTrade>({
  load: (cursor) => call("listOptionTrades", { cursor }, { shownByCaller: true }),
  deltas$: refetchAfter(optionFacts$, () => trades),
  keyOf: ({ tradeNo }) => tradeNo,
});

/** Takes an order's answer, without waiting for its facts. */
export function takeOption({ position }: Answer<"openOption">): void {
  positions.change(withNewest("items", position, "positionNo"));
  chains("").refetch();
}

/** The same of an order that closed two positions. */
export function takeOptionPair(answer: Answer<"closeOptionPair">): void {
  for (const position of answer.positions) positions.change(withNewest("items", position, "positionNo"));
  chains("").refetch();
}

/** The chain of a month, or of the nearest; with account and open positions. */
export const useOptions = (month: string | null): Read<Options> => useResource(chains(month ?? ""));

export const useOptionCost = (series: string, side: OptionSide, lots: number): Read<OptionCost> =>
  useResource(costs(`${series} ${side} ${lots}`));

export const useClosingCost = (positionNo: string, lots: number): Read<OptionCost> => useResource(closings(`${positionNo} ${lots}`));

export const usePairCost = (positionNo: string, otherNo: string, lots: number): Read<OptionPairCost> =>
  useResource(pairs(`${positionNo} ${otherNo} ${lots}`));

/** The member's positions in a component, page by page. */
export const useOptionPositions = (): ReadPages<OptionPosition> => usePages(positions);

/** The member's trades in a component, page by page. */
export const useOptionTrades = (): ReadPages<OptionTrade> => usePages(trades);
