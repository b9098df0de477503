/** A form whose command may have an outcome nobody knows yet: then that is what is shown, until it is known. */
import type { ReactNode } from "react";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { OutcomeUnknown } from "#src/screens/ticket/outcome.tsx";

type Asked = Pick<Request<EndpointName>, "state" | "edit" | "sendAgain">;

/** Whether the outcome is being asked for, or the desk said that it never arrived. */
export const isUnknown = ({ state }: Pick<Asked, "state">): boolean => state === "unknown" || state === "asking" || state === "notReceived";

/** Whether a press on the button may send: nothing is under way, and nothing has to be waited for. */
export const isReady = ({ state }: Pick<Asked, "state">): boolean => ["editing", "refused", "failed", "accepted"].includes(state);

export function UnknownOutcome({ request, children }: { request: Asked; children: ReactNode }) {
  return isUnknown(request) ? <OutcomeUnknown request={request} /> : children;
}
