/** Idempotency: a request id acts once. A repeat with the same body gets the same answer, with another body it is refused. */
import { createHash } from "node:crypto";
import type { EndpointName } from "#contract/endpoints.ts";
import type { RequestTable } from "#server/db/schema.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Choose } from "./open-orders.ts";
import type { QueuedCommand } from "./queued-command.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { PrepareReads, Batch } from "./batch.ts";

/** A member's command that acts once. */
export interface Command<Result> {
  endpoint: EndpointName;
  memberId: number;
  body: { requestId: string; orderNo?: string };
  /** Chooses further orders of the member among all open ones, at the command's turn. */
  choose?: Choose;
  /** How many order numbers it may take; 1 by default. */
  placements?: number;
  /** How many conditions it may set; none by default. */
  conditions?: number;
  counterparties?: QueuedCommand<Result>["counterparties"];
  prepare?: PrepareReads;
  decide: (batch: Batch) => Result;
}

/** How a command is answered, now and when it is repeated; null when its subject does not exist. */
export interface Replies<Decided, Result> {
  now: (decided: Decided) => { result: Result; orderNo: string; answer: object | null };
  again: (batch: Batch, before: RequestTable) => Result | null;
}

/** What a command meets when it arrives. */
interface Arriving {
  limit: RateLimit;
  now: () => number;
  /** Another fund command of the member is being decided. */
  busy: boolean;
}

/** A canonical form of a body, independent of the order of its fields. */
function hashOf(body: Command<unknown>["body"]): string {
  const asked = Object.entries(body).filter(([name]) => name !== "requestId");
  const sorted = asked.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/**
 * Turns a member's command into a queued command. An id that was used before gets its answer again, or a refusal if the body differs.
 * The command counts against its member's rate limit; beyond it no orders are chosen for it. A `busy` one, which arrived while another was
 * being decided, is refused and does not count.
 */
export function idempotent<Decided, Result>(
  command: Command<Decided>,
  answering: Replies<Decided, Result>,
  { limit, now, busy }: Arriving,
): QueuedCommand<Result> {
  const { endpoint, memberId, body, decide, choose, placements = 1, conditions = 0, counterparties, prepare } = command;
  const bodyHash = hashOf(body);
  let allowed: boolean | null = null;
  let beyond = false;
  return {
    memberIds: [memberId],
    requestIds: [body.requestId],
    orderNos: body.orderNo === undefined ? [] : [body.orderNo],
    placements,
    conditions,
    ...(choose
      ? {
          choosing: () => {
            beyond = allowed === null && limit.full(memberId, now());
            return beyond ? null : choose;
          },
        }
      : {}),
    ...(counterparties ? { counterparties } : {}),
    ...(prepare ? { prepare } : {}),
    decide: (batch) => {
      const before = batch.request(memberId, body.requestId);
      if (before) {
        const same = before.endpoint === endpoint && before.body_hash === bodyHash;
        const result = same ? answering.again(batch, before) : null;
        if (result === null) throw new Refusal("GEN_REQUEST_REUSED", {}, "requestId");
        return result;
      }
      if (busy) throw new Refusal("FUND_OP_IN_PROGRESS");
      // A failed batch is decided again; the command counts only once.
      if (beyond) throw new Refusal("GEN_TOO_FREQUENT");
      allowed ??= limit.take(memberId, batch.at);
      if (!allowed) throw new Refusal("GEN_TOO_FREQUENT");
      const { result, orderNo, answer } = answering.now(decide(batch));
      const asked = { member_id: memberId, request_id: body.requestId, endpoint, body_hash: bodyHash };
      batch.recordRequest({ ...asked, order_no: orderNo, at: batch.at, answer });
      return result;
    },
  };
}
