/** Offerings by phase and kind, one of them, and the member's applications: read in pages, updated by facts, read again as phases pass. */
import { useEffect } from "react";
import { filter, map } from "rxjs";
import { isSubscriptionFact } from "#contract/fact-kind.ts";
import type { Answer } from "#contract/endpoints.ts";
import type { OfferingKind, OfferingPhase } from "#contract/offering-kind.ts";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import type { Subscription } from "#contract/subscription.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { atMoment } from "./moment.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { keptByKey, resource, resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

/** The phases that are listed together. */
export const OFFERING_GROUPS = {
  open: ["open"],
  upcoming: ["upcoming"],
  drawn: ["closed", "drawn", "allotted"],
  listed: ["listed", "void"],
  /** Everything that is still to happen, for the calendar. */
  ahead: ["upcoming", "open", "closed", "drawn", "allotted"],
} as const satisfies Record<string, readonly OfferingPhase[]>;
export type OfferingGroup = keyof typeof OFFERING_GROUPS;

/** What is subscribed for here; funds have a screen of their own. */
export const SUBSCRIBED_KINDS = ["share", "bond", "placement", "increase"] as const satisfies readonly OfferingKind[];
export type SubscribedKind = (typeof SUBSCRIBED_KINDS)[number];

const changes$ = facts$.pipe(
  filter(isSubscriptionFact),
  filter((fact) => "subscription" in fact),
  map(({ subscription }) => subscription),
);

const ofEntry =
  (subscription: Subscription) =>
  (entry: OfferingEntry): OfferingEntry =>
    entry.offering.offeringNo === subscription.offeringNo ? { ...entry, subscription } : entry;

const withChanged =
  (subscription: Subscription): Delta<Pages<OfferingEntry>> =>
  (pages) => ({
    ...pages,
    items: pages.items.map(ofEntry(subscription)),
  });

const numberOf = ({ offering }: OfferingEntry): string => offering.offeringNo;

/** The list of a group, or of one kind in it: `open`, `open bond`. */
const listOf = keptByKey((key: string): PagedResource<OfferingEntry> => {
  const [group, kind] = key.split(" ") as [OfferingGroup, SubscribedKind?];
  return pagedResource<OfferingEntry>({
    load: async (cursor) => {
      const body = { phases: [...OFFERING_GROUPS[group]], kinds: kind ? [kind] : [...SUBSCRIBED_KINDS], cursor };
      const outcome = await call("listOfferings", body, { shownByCaller: true });
      return outcome.ok ? { ...outcome, data: outcome.data.page } : outcome;
    },
    deltas$: changes$.pipe(map(withChanged)),
    keyOf: numberOf,
  });
});

const oneOf: (offeringNo: string) => Resource<OfferingEntry> = resourceByKey((offeringNo: string) => ({
  load: () => call("readOffering", { offeringNo }, { shownByCaller: true }),
  deltas$: changes$.pipe(map((subscription): Delta<OfferingEntry> => ofEntry(subscription))),
}));

const ofCode: (code: string) => Resource<OfferingEntry> = resourceByKey((code: string) => ({
  load: () => call("findOffering", { code }, { shownByCaller: true }),
}));

type OfferingTerms = Pick<Answer<"listOfferings">, "rule" | "barredDraws">;

/** The rule of offerings, and the draws that the member is barred from. */
const terms: Resource<OfferingTerms> = resource<OfferingTerms>({
  load: () => call("listOfferings", { phases: ["open"], kinds: ["share"], cursor: null }, { shownByCaller: true }),
  deltas$: refetchAfter<OfferingTerms>(changes$, () => terms),
});

function withApplication(subscription: Subscription): Delta<Pages<Subscription>> {
  return (pages) => {
    const { subscriptionNo } = subscription;
    const known = pages.items.some((one) => one.subscriptionNo === subscriptionNo);
    const items = known
      ? pages.items.map((one) => (one.subscriptionNo === subscriptionNo ? subscription : one))
      : [subscription, ...pages.items];
    return { ...pages, items };
  };
}

const applications: PagedResource<Subscription> = pagedResource<Subscription>({
  load: (cursor) => call("listSubscriptions", { cursor }, { shownByCaller: true }),
  deltas$: changes$.pipe(map(withApplication)),
  keyOf: ({ subscriptionNo }) => subscriptionNo,
});

/** Take a command's answer, without waiting for its fact. */
export function takeSubscription(subscription: Subscription): void {
  applications.change(withApplication(subscription));
  oneOf(subscription.offeringNo).change(ofEntry(subscription));
  for (const group of Object.keys(OFFERING_GROUPS)) listOf(group).change(withChanged(subscription));
  terms.refetch();
}

/** Take a booked reminder. */
export function takeBooking(offeringNo: string): void {
  oneOf(offeringNo).change((entry) => ({ ...entry, booked: true }));
  listOf("upcoming").refetch();
}

/** Read the offerings of a group in a component, page by page. */
export const useOfferings = (group: OfferingGroup, kind: SubscribedKind | null): ReadPages<OfferingEntry> =>
  usePages(listOf(kind === null ? group : `${group} ${kind}`));

/** Read one offering in a component. */
export const useOffering = (offeringNo: string): Read<OfferingEntry> => useResource(oneOf(offeringNo));

/** The offering of an instrument in a component; null while it loads, and where there is none. */
export const useOfferingOf = (code: string): OfferingEntry | null => useResource(ofCode(code)).value;

/** Read the rule in a component. */
export const useOfferingTerms = (): Read<OfferingTerms> => useResource(terms);

/** Read the member's applications in a component, page by page. */
export const useApplications = (): ReadPages<Subscription> => usePages(applications);

/** The moment at which the phase of an offering ends; null for one that has reached its last. */
export function nextMoment(
  offering: Pick<Offering, "phase" | "opensAt" | "closesAt" | "drawnAt" | "payableUntil" | "allottedAt" | "tradesFrom"> &
    Partial<Pick<Offering, "increase" | "price">>,
): number | null {
  const { phase, opensAt, closesAt, drawnAt, payableUntil, allottedAt, tradesFrom } = offering;
  // A capital increase gets its price before it opens.
  if (phase === "upcoming") return offering.increase && offering.price === null ? offering.increase.exAt : opensAt;
  if (phase === "open") return closesAt;
  if (phase === "closed") return drawnAt ?? allottedAt;
  if (phase === "drawn") return Math.max(payableUntil, allottedAt);
  return phase === "allotted" ? tradesFrom : null;
}

/** The server takes each step within seconds; not every client asks in the same one. */
const STEP_MS = 1_500;
const SPREAD_MS = 2_500;
/** A step that is late is asked for again after so long. */
const LATE_MS = 10_000;

/** Read offerings again whenever a phase of one of them has ended. */
export function usePhases(offerings: readonly Parameters<typeof nextMoment>[0][], refetch: () => void): void {
  const moments = offerings.map(nextMoment).filter((at) => at !== null);
  const next = moments.length === 0 ? null : Math.min(...moments);
  useEffect(() => {
    if (next === null) return undefined;
    let again: number | undefined;
    const callOff = atMoment(next + STEP_MS + Math.random() * SPREAD_MS, () => {
      refetch();
      again = window.setInterval(refetch, LATE_MS);
    });
    return () => {
      callOff();
      window.clearInterval(again);
    };
  }, [next, refetch]);
}
