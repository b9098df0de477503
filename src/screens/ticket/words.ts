/** Formats the rules and choices of an order in the member's language. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Direction, Trigger } from "#contract/order.ts";
import type { Funding } from "#contract/rule.ts";
import { fundingWord } from "./choices.ts";
import type { FundingWord } from "./choices.ts";
import { triggerOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import type { Intent } from "./intent.ts";

/** The lock-up period of a long or short as text; null for none. */
export function useLockRule(): (seconds: number, direction: Direction) => string | null {
  const { t } = useTranslation();
  return (seconds, direction) => {
    if (seconds <= 0) return null;
    const ms = seconds * SECOND_MS;
    const isShort = direction === "fall";
    if (ms >= DAY_MS) return t(isShort ? "ticket.lockFallDays" : "ticket.lockDays", { n: Math.ceil(ms / DAY_MS) });
    const n = Math.ceil(ms / MINUTE_MS);
    if (n === 1) return t(isShort ? "ticket.lockFallMinute" : "ticket.lockMinute");
    return t(isShort ? "ticket.lockFallMinutes" : "ticket.lockMinutes", { n });
  };
}

/** The label of a way to pay: own money, a margin loan, or `2×`. */
export function useFundingWord(): (word: FundingWord) => string {
  const { t } = useTranslation();
  return (word) => (word === "cash" || word === "margin" ? t(`ticket.funding.${word}`) : t("ticket.multiple", { n: word }));
}

/** The word for a day trade, which in Chinese tells whether it is paid in cash. */
export function useDayTradeWord(): (order: { funding: Funding }) => string {
  const { t } = useTranslation();
  return ({ funding }) => t(funding === "cash" ? "ticket.dayTrade" : "ticket.kind.dayTrade");
}

/** `Stop at 1,050.00`, `Trailing by 5.00`. */
export function useTriggerWord(): (trigger: Trigger, decimals: number) => string {
  const { t } = useTranslation();
  return ({ kind, price }, decimals) => t(`ticket.trigger.${kind}`, { price: formatPrice(price, decimals) });
}

/** The trigger an order waits for before it goes to the market: `Stop 1,050.00`, `Setback 950.00`. */
export function useEntryWord(): (trigger: { kind: "stop" | "takeProfit" | "trailing"; price: number }, decimals: number) => string {
  const { t } = useTranslation();
  return ({ kind, price }, decimals) =>
    t(kind === "takeProfit" ? "ticket.entryTrigger.takeProfit" : "ticket.entryTrigger.stop", { price: formatPrice(price, decimals) });
}

/** Labels of every non-default choice behind the options button. */
export function useChoiceWords(): (draft: Draft, intent: Pick<Intent, "kind" | "funding" | "leverage">, decimals: number) => string[] {
  const { t } = useTranslation();
  const fundingLabel = useFundingWord();
  const triggerLabel = useTriggerWord();
  const entryLabel = useEntryWord();
  return (draft, intent, decimals) => [
    ...(draft.market === "fixed" ? [t("ticket.at.fixed")] : []),
    ...(draft.validity === "rod" ? [] : [t(`ticket.validity.${draft.validity}`)]),
    ...(intent.funding === "cash" || intent.kind === "margin" ? [] : [fundingLabel(fundingWord(intent))]),
    ...(draft.entry ? [t("ticket.waitsFor", { what: entryLabel(triggerOf(draft.entry.kind, draft.entry.text), decimals) })] : []),
    ...TRIGGERS.flatMap((kind) => (draft.exits[kind] === undefined ? [] : [triggerLabel(triggerOf(kind, draft.exits[kind]), decimals)])),
  ];
}
