/** The lifecycle of a form or command: edited, validated, optionally reviewed, submitted once, and its outcome known or queried. */
import { assign, fromPromise, setup } from "xstate";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";

/** A validation problem of one field, as a refusal code. */
export interface Problem {
  field: string;
  code: RefusalCode;
  params: RefusalParams;
}

/** The server's refusal. */
export interface RequestRefusal {
  code: RefusalCode;
  params: RefusalParams;
  field: string | null;
  msg: string;
}

/** Result of validating the form: a body ready to send under its requestId, or problems. */
export type Checked = { problems: readonly Problem[]; body: null; requestId: null } | { problems: null; body: unknown; requestId: string };

/**
 * Result of sending. `failed`: it had no effect and can be retried (a read, a sign-in). `unknown`: it may have been executed; only a
 * query by its requestId tells.
 */
export type Sent =
  | { kind: "accepted"; answer: unknown }
  | { kind: "refused"; refusal: RequestRefusal }
  | { kind: "failed" }
  | { kind: "unknown" };

/** Result of querying the outcome: the outcome, that the command never arrived, or nothing yet. */
export type Asking = { kind: "accepted"; answer: unknown } | { kind: "notReceived" } | { kind: "unknown" };

export interface RequestInput {
  /** Whether the member reviews the values before they are sent. */
  reviews: boolean;
  /** A command sent before the page was reloaded whose outcome is still unknown. */
  unresolved?: { requestId: string; body: unknown };
}

export interface RequestContext {
  reviews: boolean;
  resumes: boolean;
  skipReview: boolean;
  values: unknown;
  body: unknown;
  requestId: string | null;
  problems: readonly Problem[];
  refusal: RequestRefusal | null;
  answer: unknown;
}

export type RequestEvent =
  /** The member submits the form, with the values as typed; `skipReview` sends them at once, by the member's own setting. */
  | { type: "SUBMIT"; values: unknown; skipReview?: boolean }
  /** The member confirms the review. */
  | { type: "CONFIRM" }
  /** Something changed since the review opened: it must be reviewed again. */
  | { type: "REVIEW_AGAIN" }
  /** Back to the form, or a field was changed: clears that field's problems (all problems when no field is given). */
  | { type: "EDIT"; field?: string }
  /** Resend the same command after the server reported that it never arrived. */
  | { type: "SEND_AGAIN" }
  /** Query the outcome now instead of at the next interval: the connection is back. */
  | { type: "ASK_NOW" }
  /** The outcome arrived as a pushed fact, before or instead of the reply. */
  | { type: "OUTCOME_RECEIVED"; answer: unknown }
  /** Start a new, empty form after an accepted one. */
  | { type: "RESET" };

/** Cool-down of the form after a "too frequent" refusal. */
export const COOL_DOWN_MS = 3_000;
/** Minimum time before a review can be confirmed, so that a double tap does not confirm it by accident. */
export const REVIEW_GUARD_MS = 350;
/** Interval for querying an unknown outcome. */
export const ASK_AGAIN_MS = 2_000;

const empty = { body: null, requestId: null, problems: [], refusal: null, answer: null };

/** Requires the actors `check`, `send` and `ask` from `.provide()`. */
export const requestMachine = setup({
  types: { context: {} as RequestContext, events: {} as RequestEvent, input: {} as RequestInput },
  actors: {
    check: fromPromise<Checked, { values: unknown }>(() => Promise.reject(new Error("requestMachine: actor check not provided"))),
    send: fromPromise<Sent, { requestId: string; body: unknown }>(() =>
      Promise.reject(new Error("requestMachine: actor send not provided")),
    ),
    ask: fromPromise<Asking, { requestId: string }>(() => Promise.reject(new Error("requestMachine: actor ask not provided"))),
  },
  delays: { coolDown: COOL_DOWN_MS, reviewGuard: REVIEW_GUARD_MS, askAgain: ASK_AGAIN_MS },
  guards: {
    resumes: ({ context }) => context.resumes,
    reviews: ({ context }) => context.reviews && !context.skipReview,
    hasProblems: (_, checked: Checked) => checked.problems !== null,
    isAccepted: (_, { kind }: Sent | Asking) => kind === "accepted",
    isTooFrequent: (_, sent: Sent) => sent.kind === "refused" && sent.refusal.code === "GEN_TOO_FREQUENT",
    isRefused: (_, { kind }: Sent) => kind === "refused",
    isFailed: (_, { kind }: Sent) => kind === "failed",
    isNotReceived: (_, { kind }: Asking) => kind === "notReceived",
  },
  actions: {
    keepValues: assign((_, { values, skipReview }: { values: unknown; skipReview: boolean }) => ({ values, skipReview })),
    keepProblems: assign({ problems: (_, { problems }: Checked) => problems ?? [] }),
    keepBody: assign({ body: (_, { body }: Checked) => body, requestId: (_, { requestId }: Checked) => requestId }),
    keepAnswer: assign({ answer: (_, { answer }: { answer: unknown }) => answer, refusal: null }),
    keepRefusal: assign({ refusal: (_, sent: Sent) => (sent.kind === "refused" ? sent.refusal : null) }),
    forgetProblem: assign({
      problems: ({ context }, { field }: { field?: string | undefined }) =>
        context.problems.filter((problem) => field !== undefined && problem.field !== field),
    }),
    forgetProblems: assign({ problems: [], refusal: null }),
    forgetRefusal: assign({ refusal: null }),
    forgetOutcome: assign(empty),
    forgetAll: assign({ ...empty, values: null }),
    beginAsking: assign({ resumes: false }),
  },
}).createMachine({
  id: "request",
  context: ({ input }) => ({
    ...empty,
    reviews: input.reviews,
    resumes: input.unresolved !== undefined,
    skipReview: false,
    values: null,
    body: input.unresolved?.body ?? null,
    requestId: input.unresolved?.requestId ?? null,
  }),
  initial: "editing",
  states: {
    editing: {
      always: { guard: "resumes", target: "asking" },
      on: {
        SUBMIT: { target: "validating", actions: { type: "keepValues", params: ({ event }) => submitted(event) } },
        EDIT: { actions: { type: "forgetProblem", params: ({ event }) => ({ field: event.field }) } },
      },
    },
    validating: {
      entry: "forgetOutcome",
      invoke: {
        id: "check",
        src: "check",
        input: ({ context }) => ({ values: context.values }),
        onDone: [
          {
            guard: { type: "hasProblems", params: ({ event }) => event.output },
            target: "editing",
            actions: { type: "keepProblems", params: ({ event }) => event.output },
          },
          { guard: "reviews", target: "reviewing", actions: { type: "keepBody", params: ({ event }) => event.output } },
          { target: "submitting", actions: { type: "keepBody", params: ({ event }) => event.output } },
        ],
        onError: "failed",
      },
    },
    reviewing: {
      initial: "guarded",
      states: {
        guarded: { after: { reviewGuard: "ready" } },
        ready: { on: { CONFIRM: "#request.submitting" } },
      },
      on: { EDIT: "editing", REVIEW_AGAIN: ".guarded" },
    },
    submitting: {
      entry: "forgetProblems",
      on: { OUTCOME_RECEIVED: { target: "accepted", actions: { type: "keepAnswer", params: ({ event }) => ({ answer: event.answer }) } } },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => ({ requestId: context.requestId ?? "", body: context.body }),
        onDone: [
          {
            guard: { type: "isAccepted", params: ({ event }) => event.output },
            target: "accepted",
            actions: { type: "keepAnswer", params: ({ event }) => answerOf(event.output) },
          },
          {
            guard: { type: "isTooFrequent", params: ({ event }) => event.output },
            target: "coolingDown",
            actions: { type: "keepRefusal", params: ({ event }) => event.output },
          },
          {
            guard: { type: "isRefused", params: ({ event }) => event.output },
            target: "refused",
            actions: { type: "keepRefusal", params: ({ event }) => event.output },
          },
          { guard: { type: "isFailed", params: ({ event }) => event.output }, target: "failed" },
          { target: "unknown" },
        ],
        // A send that threw may have reached the server first.
        onError: "unknown",
      },
    },
    accepted: { on: { RESET: { target: "editing", actions: "forgetAll" } } },
    refused: {
      on: {
        EDIT: { target: "editing", actions: "forgetRefusal" },
        SUBMIT: { target: "validating", actions: { type: "keepValues", params: ({ event }) => submitted(event) } },
      },
    },
    coolingDown: { after: { coolDown: { target: "editing", actions: "forgetRefusal" } } },
    failed: {
      on: {
        EDIT: "editing",
        SUBMIT: { target: "validating", actions: { type: "keepValues", params: ({ event }) => submitted(event) } },
      },
    },
    unknown: {
      after: { askAgain: "asking" },
      on: {
        ASK_NOW: "asking",
        OUTCOME_RECEIVED: { target: "accepted", actions: { type: "keepAnswer", params: ({ event }) => ({ answer: event.answer }) } },
      },
    },
    asking: {
      entry: "beginAsking",
      on: { OUTCOME_RECEIVED: { target: "accepted", actions: { type: "keepAnswer", params: ({ event }) => ({ answer: event.answer }) } } },
      invoke: {
        id: "ask",
        src: "ask",
        input: ({ context }) => ({ requestId: context.requestId ?? "" }),
        onDone: [
          {
            guard: { type: "isAccepted", params: ({ event }) => event.output },
            target: "accepted",
            actions: { type: "keepAnswer", params: ({ event }) => answerOf(event.output) },
          },
          { guard: { type: "isNotReceived", params: ({ event }) => event.output }, target: "notReceived" },
          { target: "unknown" },
        ],
        onError: "unknown",
      },
    },
    notReceived: {
      on: {
        SEND_AGAIN: "submitting",
        EDIT: { target: "editing", actions: "forgetOutcome" },
        // The command was only late: the server had not received it when it was queried.
        OUTCOME_RECEIVED: { target: "accepted", actions: { type: "keepAnswer", params: ({ event }) => ({ answer: event.answer }) } },
      },
    },
  },
});

function submitted({ values, skipReview = false }: { values: unknown; skipReview?: boolean }): { values: unknown; skipReview: boolean } {
  return { values, skipReview };
}

function answerOf(outcome: Sent | Asking): { answer: unknown } {
  return { answer: outcome.kind === "accepted" ? outcome.answer : null };
}
