/** Replaces a form while the outcome of its command is unknown. */
import type { ReactNode } from "react";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";

type RequestState = Pick<Request<EndpointName>, "state" | "edit" | "sendAgain">;

/** Whether the outcome is being checked, or the broker reported that the command never arrived. */
export const isUnknown = ({ state }: Pick<RequestState, "state">): boolean =>
  state === "unknown" || state === "asking" || state === "notReceived";

/** Whether the button may send: nothing is in progress. */
export const isReady = ({ state }: Pick<RequestState, "state">): boolean => ["editing", "refused", "failed", "accepted"].includes(state);

export function UnknownOutcome({ request, children }: { request: RequestState; children: ReactNode }) {
  return isUnknown(request) ? <OutcomeUnknown request={request} /> : children;
}
