/** The rules and the choices of an order in the member's language. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Direction, Trigger } from "#contract/order.ts";
import { fundingWord } from "./choices.ts";
import type { FundingWord } from "./choices.ts";
import { triggerOf } from "./draft.ts";
import type { Draft } from "./draft.ts";

/** How long something bought may not be sold, or a fall not be closed, in words; null when it may be at once. */
export function useLockRule(): (seconds: number, direction: Direction) => string | null {
  const { t } = useTranslation();
  return (seconds, direction) => {
    if (seconds <= 0) return null;
    const ms = seconds * SECOND_MS;
    const fall = direction === "fall";
    if (ms >= DAY_MS) return t(fall ? "ticket.lockFallDays" : "ticket.lockDays", { n: Math.ceil(ms / DAY_MS) });
    const n = Math.ceil(ms / MINUTE_MS);
    if (n === 1) return t(fall ? "ticket.lockFallMinute" : "ticket.lockMinute");
    return t(fall ? "ticket.lockFallMinutes" : "ticket.lockMinutes", { n });
  };
}

/** A way to pay: own money, a margin loan, or `2×`. */
export function useFundingWord(): (word: FundingWord) => string {
  const { t } = useTranslation();
  return (word) => (word === "cash" || word === "margin" ? t(`ticket.funding.${word}`) : t("ticket.multiple", { n: word }));
}

/** `Stop at 1,050.00`, `Trailing by 5.00`. */
export function useTriggerWord(): (trigger: Trigger, decimals: number) => string {
  const { t } = useTranslation();
  return ({ kind, price }, decimals) => t(`ticket.trigger.${kind}`, { price: formatPrice(price, decimals) });
}

/** What an order waits for before it goes to the market: `Stop 1,050.00`, `Setback 950.00`. */
export function useEntryWord(): (trigger: { kind: "stop" | "takeProfit" | "trailing"; price: number }, decimals: number) => string {
  const { t } = useTranslation();
  return ({ kind, price }, decimals) =>
    t(kind === "takeProfit" ? "ticket.entryTrigger.takeProfit" : "ticket.entryTrigger.stop", { price: formatPrice(price, decimals) });
}

/** Everything of a draft that is not plain, in words. */
export function useChoiceWords(): (draft: Draft, decimals: number) => string[] {
  const { t } = useTranslation();
  const funded = useFundingWord();
  const waits = useTriggerWord();
  const enters = useEntryWord();
  return (draft, decimals) => [
    ...(draft.market === "board" ? [] : [t(`ticket.at.${draft.market}`)]),
    ...(draft.validity === "rod" ? [] : [t(`ticket.validity.${draft.validity}`)]),
    ...(draft.funding === "cash" ? [] : [funded(fundingWord(draft))]),
    ...(draft.dayTrade ? [t("ticket.dayTrade")] : []),
    ...(draft.entry ? [t("ticket.waitsFor", { what: enters(triggerOf(draft.entry.kind, draft.entry.text), decimals) })] : []),
    ...TRIGGERS.flatMap((kind) => (draft.exits[kind] === undefined ? [] : [waits(triggerOf(kind, draft.exits[kind]), decimals)])),
  ];
}
