/** The lines that describe a trading rule, as label and value. */
import type { TFunction } from "i18next";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatMoney, formatRate, formatUnits } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import { MILLION, termsOf } from "#contract/rule.ts";
import type { TradeRule } from "#contract/rule.ts";
import type { RuleClass } from "./rule-classes.ts";

/** The lock period after buying, during which selling is not allowed, as short text. */
export function lockText(t: TFunction, seconds: number): string {
  if (seconds <= 0) return t("rule.lockNone");
  const ms = seconds * SECOND_MS;
  if (ms >= DAY_MS) return t("rule.lockDays", { n: Math.ceil(ms / DAY_MS) });
  return t("rule.minutes", { count: Math.ceil(ms / MINUTE_MS) });
}

/** The lock periods of a class in seconds: the rule's own, or those of its instruments, shortest first. */
export function locksOf(rule: Pick<TradeRule, "lockSeconds">, instruments: readonly Pick<Instrument, "sellLockSeconds">[]): number[] {
  if (rule.lockSeconds !== null) return [rule.lockSeconds];
  return [...new Set(instruments.map(({ sellLockSeconds }) => sellLockSeconds))].toSorted((a, b) => a - b);
}

export interface RuleLine {
  label: string;
  value: string;
}

export const RULE_PARTS = ["costs", "orders", "holding", "borrowing", "settlement"] as const;
export type RulePart = (typeof RULE_PARTS)[number];

/** A tax rate; where the law changes it on a known day, also its last day and the next rate. */
function taxText(t: TFunction, rule: TradeRule, next: RuleClass["next"], which: "taxPerMillion" | "dayTaxPerMillion"): string {
  const rateText = (rate: number): string => (rate === 0 ? t("rule.none") : formatRate(rate));
  if (!next || next.rule[which] === rule[which]) return rateText(rule[which]);
  const until = formatDate(taipeiMidnight(next.day - 1));
  return t("rule.untilThen", { now: rateText(rule[which]), until, next: rateText(next.rule[which]) });
}

/** The lines of digital currency, which has no odd lots, no short selling and no loans. */
function coinLines(t: TFunction, rule: TradeRule): Record<RulePart, RuleLine[]> {
  const line = (label: string, value: string): RuleLine => ({ label, value });
  const tax = rule.taxPerMillion === 0 ? t("rule.none") : formatRate(rule.taxPerMillion);
  return {
    costs: [
      line(t("rule.fee"), formatRate(rule.feePerMillion)),
      line(t("rule.coinFeeMinimum"), formatMoney(rule.feeMinimumCents)),
      line(t("rule.tax"), tax),
    ],
    orders: [
      line(t("rule.maxCoins"), t("order.coins", { n: formatUnits(rule.maxLots, unitsPerWhole({ kind: "crypto" })) })),
      line(t("rule.minimum"), rule.minimumCents === 0 ? t("rule.none") : formatMoney(rule.minimumCents)),
    ],
    holding: [line(t("rule.lock"), lockText(t, rule.lockSeconds ?? 0))],
    borrowing: [line(t("rule.loan"), t("rule.none")), line(t("rule.multiples"), t("rule.none"))],
    settlement: [line(t("rule.settles"), rule.settlementDays === 0 ? t("rule.atOnce") : `T+${rule.settlementDays}`)],
  };
}

/** Every line of a rule by part; `next` is the rule that follows it. */
export function ruleLines(
  t: TFunction,
  rule: TradeRule,
  instruments: readonly (Pick<Instrument, "sellLockSeconds"> & Partial<Pick<Instrument, "kind">>)[],
  next: RuleClass["next"] = null,
): Record<RulePart, RuleLine[]> {
  if (instruments[0]?.kind === "crypto") return coinLines(t, rule);
  const line = (label: string, value: string): RuleLine => ({ label, value });
  const multiples = rule.multiples.filter((one) => one > 1);
  const leveraged = (leverage: number) =>
    termsOf(rule, { sellLockSeconds: 0 }, { market: "board", funding: "leverage", leverage, dayTrade: false });
  return {
    costs: [
      line(t("rule.fee"), formatRate(rule.feePerMillion)),
      line(t("rule.feeMinimum"), formatMoney(rule.feeMinimumCents)),
      line(t("rule.oddFeeMinimum"), formatMoney(rule.oddFeeMinimumCents)),
      line(t("rule.tax"), taxText(t, rule, next, "taxPerMillion")),
      line(t("rule.dayTax"), taxText(t, rule, next, "dayTaxPerMillion")),
    ],
    orders: [
      line(t("rule.maxLots"), t("rule.lots", { count: rule.maxLots })),
      line(t("rule.maxOddShares"), t("rule.shares", { count: rule.maxOddShares })),
      line(t("rule.minimum"), rule.minimumCents === 0 ? t("rule.none") : formatMoney(rule.minimumCents)),
    ],
    holding: [
      line(
        t("rule.lock"),
        locksOf(rule, instruments)
          .map((seconds) => lockText(t, seconds))
          .join(" · ") || t("rule.lockNone"),
      ),
      line(t("rule.closedPeriod"), rule.closedDays === 0 ? t("rule.none") : t("rule.closedDays", { count: rule.closedDays })),
      line(t("rule.short"), formatRate(rule.shortPerMillion)),
      line(t("rule.borrow"), formatRate(rule.borrowPerMillion)),
    ],
    borrowing: [
      line(t("rule.loan"), rule.loanPerMillion === 0 ? t("rule.none") : formatRate(rule.loanPerMillion)),
      line(t("rule.marginShort"), formatRate(rule.marginShortPerMillion)),
      line(t("rule.interest"), formatRate(rule.interestPerMillion)),
      line(t("rule.multiples"), multiples.length === 0 ? t("rule.none") : multiples.map((one) => `${one}×`).join(" · ")),
      ...multiples.map((one) => {
        const { ownPerMillion, maintenancePerMillion } = leveraged(one);
        return line(
          t("rule.leverage", { n: one }),
          t("rule.ownAndKept", { own: formatRate(Math.min(MILLION, ownPerMillion)), kept: formatRate(maintenancePerMillion) }),
        );
      }),
    ],
    settlement: [line(t("rule.settles"), rule.settlementDays === 0 ? t("rule.atOnce") : `T+${rule.settlementDays}`)],
  };
}

/** The lines of a single instrument's rule that differ from its class. */
export function differingLines(theirs: Record<RulePart, RuleLine[]>, ours: Record<RulePart, RuleLine[]>): RuleLine[] {
  return RULE_PARTS.flatMap((part) =>
    theirs[part].filter(({ label, value }) => !ours[part].some((one) => one.label === label && one.value === value)),
  );
}
