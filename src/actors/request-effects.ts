/** The hands of the request machine: checking against the contract's own schema, sending through the gateway, asking what became of it. */
import { fromPromise } from "xstate";
import * as z from "zod/mini";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";
import type { Order } from "#contract/order.ts";
import { requestMachine } from "#machines/request.ts";
import type { Asking, Checked, Problem, RequestRefusal, Sent } from "#machines/request.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { endpointOf } from "#src/gateway/endpoints.ts";
import { forget, keep, pendingCommands, newRequestId } from "#src/gateway/pending-commands.ts";
import { wordsAtHand } from "#src/gateway/language.ts";
import { read } from "#src/gateway/storage.ts";

/** The endpoints whose body carries a `requestId`, all but the question itself: they act at most once, and their outcome can be asked for. */
export type CommandName = Exclude<
  { [Name in EndpointName]: Asked<Name> extends { requestId: string } ? Name : never }[EndpointName],
  "askOutcome"
>;

/** Every command, and whether it answers with nothing but an order. The type is made from the contract: a command that is not here does not compile. */
const ANSWERS: { [Name in CommandName]: Answer<Name> extends Order ? "order" : "more" } = {
  placeOrder: "order",
  amendOrder: "order",
  cancelOrder: "order",
  cancelOrders: "more",
  closeOrder: "order",
  closeOrders: "more",
  reverseOrder: "more",
  setConditions: "more",
  addMargin: "order",
  applyMargin: "more",
  withdrawMargin: "more",
  payMargin: "more",
  signDayTrading: "more",
};

/** Whether an endpoint is a command: kept before it is sent. */
export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(ANSWERS, name);
}

export interface RequestEffectOptions<Name extends EndpointName> {
  /** What the schema cannot know: problems that depend on what is on screen. Called with the body the schema accepted. */
  check?: ((body: Asked<Name>) => readonly Problem[]) | undefined;
  /** Called once per accepted answer, also when it was only learnt by asking. */
  onAccepted?: ((answer: Answer<Name>) => void) | undefined;
  /** Called instead where asking told only that it was done: of the answers only a single order can be had again. */
  onArrived?: (() => void) | undefined;
  /** The fields the form shows: a refusal at another one, or at none, is said with a toast as well. */
  fields?: readonly string[] | undefined;
}

const CODE = /^[A-Z]{3,4}_[A-Z_]+$/;

function problemOf(issue: z.core.$ZodIssue): Problem {
  const code = CODE.test(issue.message) ? (issue.message as RefusalCode) : "GEN_PARAM_ERROR";
  const params: RefusalParams = {};
  if (issue.code === "too_big") params["n"] = Number(issue.maximum);
  if (issue.code === "too_small") params["n"] = Number(issue.minimum);
  return { field: String(issue.path[0] ?? ""), code, params };
}

/** What is wrong with a body by the contract's schema, the first problem of each field. */
async function schemaProblems(name: EndpointName, body: unknown): Promise<Problem[]> {
  const read = z.safeParse((await endpointOf(name)).body, body);
  if (read.success) return [];
  const byField = new Map<string, Problem>();
  for (const issue of read.error.issues) {
    const problem = problemOf(issue);
    if (!byField.has(problem.field)) byField.set(problem.field, problem);
  }
  return [...byField.values()];
}

async function checked<Name extends EndpointName>(name: Name, values: unknown, options: RequestEffectOptions<Name>): Promise<Checked> {
  const requestId = newRequestId();
  const body: unknown = isCommand(name) ? { ...(values as object), requestId } : values;
  const wrong = await schemaProblems(name, body);
  const problems = wrong.length > 0 ? wrong : (options.check?.(body as Asked<Name>) ?? []);
  if (problems.length === 0) return { problems: null, body, requestId };
  await wordsAtHand();
  return { problems, body: null, requestId: null };
}

function refusalOf(refused: NonNullable<Outcome<never>["refused"]>): RequestRefusal {
  return { code: refused.code, params: refused.params, field: refused.field ?? null, msg: refused.msg };
}

/** Commands whose outcome a push told while their reply was still under way: it brings nothing new then. */
const learnt = new Set<string>();

/** A pushed fact overtook the reply of a command that answers with an order, or came instead of it. */
export async function learn<Name extends EndpointName>(
  requestId: string,
  order: Order,
  options: RequestEffectOptions<Name>,
): Promise<void> {
  learnt.add(requestId);
  options.onAccepted?.(order as Answer<Name>);
  await forget(requestId);
}

/** A call that was never answered, or brought nonsense, may have acted; one that was refused at the door did not. */
function sentOf(outcome: Outcome<unknown>, acts: boolean): Sent {
  if (outcome.ok) return { kind: "accepted", answer: outcome.data };
  if (outcome.refused) return { kind: "refused", refusal: refusalOf(outcome.refused) };
  return { kind: acts && outcome.failed !== "expired" ? "unknown" : "failed" };
}

async function send<Name extends EndpointName>(
  name: Name,
  requestId: string,
  body: Asked<Name>,
  options: RequestEffectOptions<Name>,
): Promise<Sent> {
  const acts = isCommand(name);
  if (acts) await keep({ requestId, name, body, account: read("account") ?? "", at: Date.now() });
  const outcome = await call(name, body, {
    shownByCaller: (refused) => refused.field !== undefined && (options.fields ?? []).includes(refused.field),
  });
  const sent = sentOf(outcome, acts);
  if (acts && sent.kind !== "unknown") await forget(requestId);
  if (outcome.ok && !learnt.delete(requestId)) options.onAccepted?.(outcome.data);
  return sent;
}

async function ask<Name extends EndpointName>(name: Name, requestId: string, options: RequestEffectOptions<Name>): Promise<Asking> {
  if (read("tokend") === null) return { kind: "unknown" };
  const outcome = await call("askOutcome", { requestId }, { shownByCaller: true });
  if (!outcome.ok) return { kind: "unknown" };
  const { known, order, answer: kept } = outcome.data;
  if (!known) return { kind: "notReceived" };
  await forget(requestId);
  // Asking brings the answer as it was given, or the order it was about: the same, where the command answers with nothing else.
  const answer = kept ?? (isCommand(name) && ANSWERS[name] === "order" ? order : null);
  if (answer !== null) options.onAccepted?.(answer as Answer<Name>);
  else options.onArrived?.();
  return { kind: "accepted", answer };
}

/**
 * Give up a command that never arrived: the desk refuses it from then on, should it still come. It is kept until the desk has said so.
 * @returns the answer of one that had arrived after all; null otherwise
 */
export async function giveUp(requestId: string): Promise<unknown> {
  const account = read("account") ?? "";
  const kept = (await pendingCommands(account)).find((one) => one.requestId === requestId);
  if (kept) await keep({ ...kept, givenUp: true });
  const outcome = await call("askOutcome", { requestId, giveUp: true }, { shownByCaller: true });
  if (!outcome.ok) return null;
  await forget(requestId);
  return outcome.data.order ?? outcome.data.answer;
}

/** The request machine with hands for one endpoint. `options` is read at each use, so it may change between renders. */
export function withRequestEffects<Name extends EndpointName>(name: Name, options: () => RequestEffectOptions<Name>) {
  return requestMachine.provide({
    actors: {
      check: fromPromise<Checked, { values: unknown }>(({ input }) => checked(name, input.values, options())),
      send: fromPromise<Sent, { requestId: string; body: unknown }>(({ input }) =>
        send(name, input.requestId, input.body as Asked<Name>, options()),
      ),
      ask: fromPromise<Asking, { requestId: string }>(({ input }) => ask(name, input.requestId, options())),
    },
  });
}
