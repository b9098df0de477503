/** Agents and seats: the member's applications, invited members and rebates in pages; updated by facts. */
import { filter } from "rxjs";
import type { Invited, RebateMonth } from "#contract/agent.ts";
import type { Answer } from "#contract/endpoints.ts";
import { isReviewFact } from "#contract/fact-kind.ts";
import type { Application } from "#contract/review.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type AgentState = Answer<"readAgent">;
export type SeatState = Answer<"readSeat">;

const reviewFacts$ = facts$.pipe(filter(isReviewFact));

const agent: Resource<AgentState> = resource<AgentState>({
  load: () => call("readAgent", {}, { shownByCaller: true }),
  deltas$: refetchAfter<AgentState>(reviewFacts$, () => agent),
});

const seat: Resource<SeatState> = resource<SeatState>({
  load: () => call("readSeat", {}, { shownByCaller: true }),
  deltas$: refetchAfter<SeatState>(reviewFacts$, () => seat),
});

const invited: PagedResource<Invited> = pagedResource<Invited>({
  load: (cursor) => call("listInvited", { cursor }, { shownByCaller: true }),
  // A masked number alone may stand for several members.
  keyOf: ({ memberNo, name, joinedAt }) => `${memberNo} ${name} ${joinedAt}`,
});

const rebates: PagedResource<RebateMonth> = pagedResource<RebateMonth>({
  load: (cursor) => call("listRebates", { cursor }, { shownByCaller: true }),
  deltas$: refetchAfter<Pages<RebateMonth>>(reviewFacts$, () => rebates),
  keyOf: ({ month }) => month,
});

/** Take a command's answer, without waiting for its fact. */
export function takeApplication(application: Application): void {
  if (application.kind === "agent") agent.change((known) => ({ ...known, application }));
  else seat.change((known) => ({ ...known, application }));
}

/** Load both applications again. */
export function refetchApplications(): void {
  agent.refetch();
  seat.refetch();
}

export const useAgent = (): Read<AgentState> => useResource(agent);
export const useSeat = (): Read<SeatState> => useResource(seat);
export const useInvited = (): ReadPages<Invited> => usePages(invited);
export const useRebates = (): ReadPages<RebateMonth> => usePages(rebates);
