/** Commands act once: the same id with the same body gets the same answer, with another body it is refused. */
import { createHash } from "node:crypto";
import type { EndpointName } from "#contract/endpoints.ts";
import type { RequestTable } from "#server/db/schema.ts";
import { Refusal } from "#server/desks/desk.ts";
import type { Job } from "./counter.ts";
import type { Preparing, Round } from "./round.ts";

/** A member's command, which acts once. */
export interface Command<Result> {
  endpoint: EndpointName;
  memberId: number;
  body: { requestId: string; orderNo?: string };
  /** More orders of the member it is about. */
  orderNos?: readonly string[];
  /** Numbers it may take; 1 unless said otherwise. */
  placements?: number;
  /** Conditions it may set; none unless said. */
  conditions?: number;
  seeks?: Job<Result>["seeks"];
  prepare?: Preparing;
  decide: (round: Round) => Result;
}

/** How a command that acts once is answered: now, and when it is repeated; null when what it was about is not there. */
export interface Answering<Decided, Result> {
  now: (decided: Decided) => { result: Result; orderNo: string; answer: object | null };
  again: (round: Round, before: RequestTable) => Result | null;
}

/** What a body asks for, whatever order its fields came in. */
function hashOf(body: Command<unknown>["body"]): string {
  const asked = Object.entries(body).filter(([name]) => name !== "requestId");
  const sorted = asked.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/**
 * The job a command is: with an id that acted before it gets the answer again, or is refused where it asks for something else.
 * `admit` counts it in its member's pace.
 */
export function onceOnly<Decided, Result>(
  command: Command<Decided>,
  answering: Answering<Decided, Result>,
  admit: (memberId: number, at: number) => boolean,
): Job<Result> {
  const { endpoint, memberId, body, decide, orderNos = [], placements = 1, conditions = 0, seeks, prepare } = command;
  const bodyHash = hashOf(body);
  let admitted: boolean | null = null;
  return {
    memberIds: [memberId],
    requestIds: [body.requestId],
    orderNos: body.orderNo === undefined ? orderNos : [body.orderNo, ...orderNos],
    placements,
    conditions,
    ...(seeks ? { seeks } : {}),
    ...(prepare ? { prepare } : {}),
    decide: (round) => {
      const before = round.request(memberId, body.requestId);
      if (before) {
        const same = before.endpoint === endpoint && before.body_hash === bodyHash;
        const result = same ? answering.again(round, before) : null;
        if (result === null) throw new Refusal("GEN_REQUEST_REUSED", {}, "requestId");
        return result;
      }
      // A round that failed decides again: the command still counts once.
      admitted ??= admit(memberId, round.at);
      if (!admitted) throw new Refusal("GEN_TOO_FREQUENT");
      const { result, orderNo, answer } = answering.now(decide(round));
      const asked = { member_id: memberId, request_id: body.requestId, endpoint, body_hash: bodyHash };
      round.remember({ ...asked, order_no: orderNo, at: round.at, answer });
      return result;
    },
  };
}
