/** The request machine's effects: validate against the contract's schema, send through the gateway, query the outcome. */
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
import { forgetCommand, newRequestId, pendingCommands, storeCommand } from "#src/gateway/pending-commands.ts";
import { waitForTranslations } from "#src/gateway/language.ts";
import { read } from "#src/gateway/storage.ts";

/** Endpoints whose body carries a `requestId`, except `askOutcome` itself: they act at most once and their outcome can be queried. */
export type CommandName = Exclude<
  { [Name in EndpointName]: Asked<Name> extends { requestId: string } ? Name : never }[EndpointName],
  "askOutcome"
>;

/** Every command, and whether its answer is exactly one order. Typed from the contract: a missing command does not compile. */
const ANSWERS: { [Name in CommandName]: Answer<Name> extends Order ? "order" : "more" } = {
  placeOrder: "order",
  amendOrder: "order",
  cancelOrder: "order",
  cancelOrders: "more",
  closeOrder: "order",
  closeOrders: "more",
  closePosition: "more",
  reverseOrder: "more",
  reversePosition: "more",
  setConditions: "more",
  setPositionConditions: "more",
  addMargin: "order",
  applyMargin: "more",
  withdrawMargin: "more",
  payMargin: "more",
  signDayTrading: "more",
  submitDeposit: "more",
  submitCryptoDeposit: "more",
  addAddress: "more",
  removeAddress: "more",
  addCard: "more",
  setDefaultCard: "more",
  removeCard: "more",
  requestWithdrawal: "more",
  cancelWithdrawal: "more",
  buyBlock: "more",
  bookOffering: "more",
  applySubscription: "more",
  withdrawSubscription: "more",
  paySubscription: "more",
  waiveSubscription: "more",
  cancelBlock: "more",
  bookAuction: "more",
  placeBid: "more",
  payBid: "more",
  subscribeRaise: "more",
  lendShares: "more",
  offerShares: "more",
  withdrawLendingOffer: "more",
  tradeFutures: "more",
  openOption: "more",
  closeOption: "more",
  closeOptionPair: "more",
  followMentor: "more",
  pauseCopy: "more",
  resumeCopy: "more",
  stopCopy: "more",
  startStrategy: "more",
  pauseStrategy: "more",
  resumeStrategy: "more",
  stopStrategy: "more",
  recallShares: "more",
  withdrawStake: "more",
  startSavingsPlan: "more",
  changeSavingsPlan: "more",
  pauseSavingsPlan: "more",
  resumeSavingsPlan: "more",
  endSavingsPlan: "more",
  acceptConversion: "more",
  transferFunds: "more",
  offerLoan: "more",
  drawLoan: "more",
  repayLoan: "more",
  checkIn: "more",
  redeemVoucher: "more",
  applyForAgent: "more",
  applyForSeat: "more",
  answerReview: "more",
};

/** Tells whether an endpoint is a command, which is stored before it is sent. */
export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(ANSWERS, name);
}

export interface RequestEffectOptions<Name extends EndpointName> {
  /** Problems the schema cannot know because they depend on the screen. Called with the body the schema accepted. */
  check?: ((body: Asked<Name>) => readonly Problem[]) | undefined;
  /** Called once per accepted answer, also when it was received by querying the outcome. */
  onAccepted?: ((answer: Answer<Name>) => void) | undefined;
  /** Called instead when the query says only that the command was executed: only a single order's answer can be read again. */
  onArrived?: (() => void) | undefined;
  /** The fields the form shows: a refusal at another field, or at none, is also shown as a toast. */
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

/** A body's problems by the contract's schema, the first one of each field. */
export async function schemaProblems(name: EndpointName, body: unknown): Promise<Problem[]> {
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
  await waitForTranslations();
  return { problems, body: null, requestId: null };
}

export function refusalOf(refused: NonNullable<Outcome<never>["refused"]>): RequestRefusal {
  return { code: refused.code, params: refused.params, field: refused.field ?? null, msg: refused.msg };
}

/** Answers that a form has shown; it may be gone before its actor learns of them, as when the answer replaces the form. */
export const shownAnswers = new WeakSet<object>();

/** Commands whose outcome a push delivered while their reply was still pending; the reply then brings nothing new. */
const resolvedByPush = new Set<string>();

/** Record that a pushed fact arrived before, or instead of, the reply of a command that answers with an order. */
export async function acceptPushedOrder<Name extends EndpointName>(
  requestId: string,
  order: Order,
  options: RequestEffectOptions<Name>,
): Promise<void> {
  resolvedByPush.add(requestId);
  options.onAccepted?.(order as Answer<Name>);
  await forgetCommand(requestId);
}

/** A command that got no answer or an unreadable one may have been executed; one rejected with HTTP 401 was not. */
function sentOf(outcome: Outcome<unknown>, acts: boolean): Sent {
  if (outcome.ok) return { kind: "accepted", answer: outcome.data };
  if (outcome.refused) return { kind: "refused", refusal: refusalOf(outcome.refused) };
  return { kind: acts && outcome.failed !== "expired" ? "unknown" : "failed" };
}

/** A body as it may be stored on the device: a fund password never is. */
function withoutSecrets(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "fundPassword"));
}

async function send<Name extends EndpointName>(
  name: Name,
  requestId: string,
  body: Asked<Name>,
  options: RequestEffectOptions<Name>,
): Promise<Sent> {
  const acts = isCommand(name);
  if (acts) await storeCommand({ requestId, name, body: withoutSecrets(body), account: read("account") ?? "", at: Date.now() });
  const outcome = await call(name, body, {
    shownByCaller: (refused) => refused.field !== undefined && (options.fields ?? []).includes(refused.field),
  });
  const sent = sentOf(outcome, acts);
  if (acts && sent.kind !== "unknown") await forgetCommand(requestId);
  if (outcome.ok && !resolvedByPush.delete(requestId)) {
    if (typeof outcome.data === "object" && outcome.data !== null && options.onAccepted) shownAnswers.add(outcome.data);
    options.onAccepted?.(outcome.data);
  }
  return sent;
}

async function ask<Name extends EndpointName>(name: Name, requestId: string, options: RequestEffectOptions<Name>): Promise<Asking> {
  if (read("tokend") === null) return { kind: "unknown" };
  const outcome = await call("askOutcome", { requestId }, { shownByCaller: true });
  if (!outcome.ok) return { kind: "unknown" };
  const { known, order, answer: stored } = outcome.data;
  if (!known) return { kind: "notReceived" };
  await forgetCommand(requestId);
  // The query returns the stored answer, or the order itself, which is the answer of a command that answers with nothing else.
  const answer = stored ?? (isCommand(name) && ANSWERS[name] === "order" ? order : null);
  if (answer !== null) options.onAccepted?.(answer as Answer<Name>);
  else options.onArrived?.();
  return { kind: "accepted", answer };
}

/**
 * Abandon a command that never arrived: the server rejects it from then on, should it still arrive. It stays stored until the server confirms.
 * @returns the command's answer if it had arrived after all; null otherwise
 */
export async function giveUp(requestId: string): Promise<unknown> {
  const account = read("account") ?? "";
  const pending = (await pendingCommands(account)).find((one) => one.requestId === requestId);
  if (pending) await storeCommand({ ...pending, givenUp: true });
  const outcome = await call("askOutcome", { requestId, giveUp: true }, { shownByCaller: true });
  if (!outcome.ok) return null;
  await forgetCommand(requestId);
  return outcome.data.order ?? outcome.data.answer;
}

/** The request machine with effects for one endpoint. `options` is read at each use, so it may change between renders. */
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
