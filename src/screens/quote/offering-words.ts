/** The moments of an offering in words: which one comes next, and how far off it is, in whole minutes and without a hurry. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, formatDateTime, formatTime, taipeiDay } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import type { SubscriptionState } from "#contract/subscription.ts";
import { nextMoment } from "#src/streams/offerings.ts";

/** A moment without its year and seconds, today without its day: `11.25 13:30`, `13:30`. */
const shortMoment = (at: number, now: number): string =>
  taipeiDay(at) === taipeiDay(now) ? formatTime(at).slice(0, 5) : formatDateTime(at).slice(5, 16);

/** How far off a moment is; empty once it has come. */
export function useLeft(): (at: number, now: number) => string {
  const { t } = useTranslation();
  return (at, now) => {
    const left = at - now;
    if (left <= 0) return "";
    if (left < HOUR_MS) return t("offering.left.minutes", { n: Math.ceil(left / MINUTE_MS) });
    if (left < DAY_MS) return t("offering.left.hours", { h: Math.floor(left / HOUR_MS), n: Math.floor((left % HOUR_MS) / MINUTE_MS) });
    return t("offering.left.days", { n: Math.floor(left / DAY_MS), h: Math.floor((left % DAY_MS) / HOUR_MS) });
  };
}

/** What comes next for an offering, `Closes 11.25 13:30`, and how far off it is; its phase where nothing comes any more. */
export function useNext(): (offering: Offering, now: number) => { text: string; left: string } {
  const { t } = useTranslation();
  const left = useLeft();
  return (offering, now) => {
    const { phase, kind, tradesFrom, payableUntil, allottedAt } = offering;
    const isIncrease = kind === "increase";
    if (phase === "listed" && isIncrease)
      return { text: t("offering.increase.tradable", { time: shortMoment(tradesFrom, now) }), left: "" };
    if (phase === "listed") return { text: t("offering.next.listed", { time: shortMoment(tradesFrom, now) }), left: "" };
    if (phase === "drawn") {
      // The phase ends with the delivery, but what a winner must not miss comes before.
      const step = now < payableUntil ? "drawn" : "delivery";
      const at = step === "drawn" ? payableUntil : allottedAt;
      return { text: t(`offering.next.${step}`, { time: shortMoment(at, now) }), left: left(at, now) };
    }
    const at = nextMoment(offering);
    if (phase === "void" || phase === "failed" || at === null) return { text: t(`offering.phase.${phase}`), left: "" };
    if (phase === "closed" && kind === "placement") {
      return { text: t("offering.placement.next", { time: shortMoment(at, now) }), left: left(at, now) };
    }
    const said = isIncrease ? increaseNext(offering, phase) : (`offering.next.${phase}` as const);
    return { text: t(said, { time: shortMoment(at, now) }), left: left(at, now) };
  };
}

/** What comes next in a capital increase, which is neither drawn nor listed again. */
function increaseNext({ price }: Pick<Offering, "price">, phase: "upcoming" | "open" | "closed" | "allotted") {
  if (phase === "upcoming") return price === null ? ("offering.increase.next" as const) : ("offering.next.upcoming" as const);
  if (phase === "closed") return "offering.next.delivery" as const;
  return phase === "open" ? ("offering.next.open" as const) : ("offering.increase.tradable" as const);
}

/** The word for a member's application, of which a placement and a capital increase have their own: they are not drawn. */
export function useSubscriptionWord(): (about: Pick<Offering, "kind">, state: SubscriptionState) => string {
  const { t } = useTranslation();
  return ({ kind }, state) =>
    t(
      kind === "increase" && state === "awaitingDraw"
        ? "subscription.increase.awaitingDraw"
        : kind === "placement" && (state === "awaitingDraw" || state === "won" || state === "notWon")
          ? `subscription.placement.${state}`
          : `subscription.state.${state}`,
    );
}

/** The phase of an offering; a placement is shared out, and a capital increase neither drawn nor listed again. */
export function usePhaseWord(): (offering: Pick<Offering, "kind" | "phase">) => string {
  const { t } = useTranslation();
  return ({ kind, phase }) => {
    if (kind === "increase" && (phase === "closed" || phase === "allotted" || phase === "listed")) return t(`offering.increase.${phase}`);
    return t(kind === "placement" && (phase === "closed" || phase === "drawn") ? `offering.placement.${phase}` : `offering.phase.${phase}`);
  };
}

/** When the result is known, in place of a figure that is still missing. */
export function useAfterDraw(): (offering: Pick<Offering, "kind">) => string {
  const { t } = useTranslation();
  const AFTER = { placement: "offering.placement.after", increase: "offering.increase.after" } as const;
  return ({ kind }) => t(kind === "placement" || kind === "increase" ? AFTER[kind] : "offering.afterDraw");
}

/** What an offering counts in: lots, in a capital increase single shares. */
export function useLots(): (about: Pick<Offering, "kind">, n: number) => string {
  const { t } = useTranslation();
  return ({ kind }, n) =>
    kind === "increase" ? t("offering.shares", { n: grouped(String(n)) }) : t("offering.lotsRow", { count: n, n: grouped(String(n)) });
}

/** The size of one lot in words: `1,000 shares`. */
export function useLotSize(): (offering: Pick<Offering, "kind" | "lotShares">) => string {
  const { t } = useTranslation();
  return ({ kind, lotShares }) => t(kind === "bond" ? "offering.units" : "offering.shares", { n: grouped(String(lotShares)) });
}
