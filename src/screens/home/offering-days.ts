/** The dates of offerings by day, for the calendar. */
import { formatDate, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import type { Raise } from "#contract/raise.ts";

/** The dates of an offering in their order. */
export const MOMENTS = ["exRight", "opens", "closes", "draw", "payBy", "delivery", "listing"] as const;
export type Moment = (typeof MOMENTS)[number];

/** When each date of an offering is. A fund and a capital increase have no draw, and the latter is paid at once and listed already. */
export function momentsOf(offering: Offering): { moment: Moment; at: number }[] {
  const { opensAt, closesAt, drawnAt, payableUntil, allottedAt, tradesFrom, increase } = offering;
  const payBy = increase ? null : payableUntil;
  const at = {
    exRight: increase?.exAt ?? null,
    opens: opensAt,
    closes: closesAt,
    draw: drawnAt,
    payBy,
    delivery: allottedAt,
    listing: tradesFrom,
  };
  return MOMENTS.flatMap((moment) => {
    const when = at[moment];
    return when === null ? [] : [{ moment, at: when }];
  });
}

/** The words for a date: a placement is allotted, not drawn, and the share of a capital increase is listed already. */
export function momentText({ kind }: Pick<Offering, "kind">, moment: Moment) {
  if (kind === "placement" && moment === "draw") return "offering.placement.draw" as const;
  return kind === "increase" && moment === "listing" ? ("offering.increase.tradableFrom" as const) : (`offering.field.${moment}` as const);
}

/** A date of an offering, or the end of a fund that was raised. */
export type CalendarEntry = { at: number; /** The member takes part in it. */ isMine: boolean } & (
  | { offering: Offering; moment: Moment }
  | { ending: Raise }
);

export interface CalendarDay {
  id: string;
  title: string;
  isToday: boolean;
  entries: CalendarEntry[];
}

/** The order of dates at one moment: the end of a fund is last. */
const placeOf = (entry: CalendarEntry): number => ("ending" in entry ? MOMENTS.length : MOMENTS.indexOf(entry.moment));

/** What is still to come: each day with its dates in the order of their times. `held`: the codes of funds that the member has a stake in. */
export function calendarDays(
  entries: readonly OfferingEntry[],
  now: number,
  raises: readonly Raise[] = [],
  held: ReadonlySet<string> = new Set(),
): CalendarDay[] {
  const today = taipeiDay(now);
  const days = new Map<number, CalendarEntry[]>();
  for (const ending of raises) {
    const { maturesAt, status, code } = ending;
    if (maturesAt === null || maturesAt <= now || status === "failed") continue;
    const day = taipeiDay(maturesAt);
    days.set(day, [...(days.get(day) ?? []), { ending, at: maturesAt, isMine: held.has(code) }]);
  }
  for (const { offering, subscription } of entries) {
    const isMine = subscription !== null && subscription.status !== "withdrawn" && subscription.status !== "voided";
    for (const { moment, at } of momentsOf(offering)) {
      const day = taipeiDay(at);
      if (at <= now) continue;
      days.set(day, [...(days.get(day) ?? []), { offering, moment, at, isMine }]);
    }
  }
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([day, of]) => ({
      id: String(day),
      title: formatDate(taipeiMidnight(day)),
      isToday: day === today,
      entries: of.toSorted((a, b) => a.at - b.at || placeOf(a) - placeOf(b)),
    }));
}
