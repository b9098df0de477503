/** The lifecycle of a form or a command: edited, validated, perhaps reviewed, submitted once, and its outcome known or asked for. */
import { assign, fromPromise, setup } from "xstate";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";

/** Something wrong with one field, as a catalogue code. */
export interface Problem {
  field: string;
  code: RefusalCode;
  params: RefusalParams;
}

/** What the desk said no with. */
export interface RequestRefusal {
  code: RefusalCode;
  params: RefusalParams;
  field: string | null;
  msg: string;
}

/** What checking the form gave: a body ready to send under its name, or problems. */
export type Checked = { problems: readonly Problem[]; body: null; requestId: null } | { problems: null; body: unknown; requestId: string };

/**
 * What sending gave. `failed`: it did nothing and may simply be tried again (a read, a sign-in). `unknown`: it may have acted;
 * only asking by its requestId tells.
 */
export type Sent =
  | { kind: "accepted"; answer: unknown }
  | { kind: "refused"; refusal: RequestRefusal }
  | { kind: "failed" }
  | { kind: "unknown" };

/** What asking gave: the outcome, the word that the command never arrived, or nothing yet. */
export type Asking = { kind: "accepted"; answer: unknown } | { kind: "notReceived" } | { kind: "unknown" };

export interface RequestInput {
  /** Whether the member reads the values once more before they are sent. */
  reviews: boolean;
  /** A command of an earlier page whose outcome is still unknown. */
  unresolved?: { requestId: string; body: unknown };
}

export interface RequestContext {
  reviews: boolean;
  resumes: boolean;
  values: unknown;
  body: unknown;
  requestId: string | null;
  problems: readonly Problem[];
  refusal: RequestRefusal | null;
  answer: unknown;
}

export type RequestEvent =
  /** The member wants it: with the form's values as typed. */
  | { type: "SUBMIT"; values: unknown }
  /** The member has read the review and means it. */
  | { type: "CONFIRM" }
  /** Something changed since the review opened: it must be read again. */
  | { type: "REVIEW_AGAIN" }
  /** Back to the form, or a field was changed: what was wrong with it (or, unnamed, with anything) is forgotten. */
  | { type: "EDIT"; field?: string }
  /** Send the very same command again, after the desk said it never arrived. */
  | { type: "SEND_AGAIN" }
  /** Do not wait for the next question: the connection is back. */
  | { type: "ASK_NOW" }
  /** A new, empty form after an accepted one. */
  | { type: "RESET" };

/** After "too frequent" the form rests this long. */
export const COOL_DOWN_MS = 3_000;
/** A review cannot be confirmed sooner, so that a double tap does not fall through it. */
export const REVIEW_GUARD_MS = 350;
/** How long until an unknown outcome is asked for again. */
export const ASK_AGAIN_MS = 2_000;

const empty = { body: null, requestId: null, problems: [], refusal: null, answer: null };

/** Hands it needs by `.provide()`: the actors `check`, `send` and `ask`. */
export const requestMachine = setup({
  types: { context: {} as RequestContext, events: {} as RequestEvent, input: {} as RequestInput },
  actors: {
    check: fromPromise<Checked, { values: unknown }>(() => Promise.reject(new Error("no hands to check with"))),
    send: fromPromise<Sent, { requestId: string; body: unknown }>(() => Promise.reject(new Error("no hands to send with"))),
    ask: fromPromise<Asking, { requestId: string }>(() => Promise.reject(new Error("no hands to ask with"))),
  },
  delays: { coolDown: COOL_DOWN_MS, reviewGuard: REVIEW_GUARD_MS, askAgain: ASK_AGAIN_MS },
  guards: {
    resumes: ({ context }) => context.resumes,
  },
}).createMachine({
  id: "request",
  context: ({ input }) => ({
    ...empty,
    reviews: input.reviews,
    resumes: input.unresolved !== undefined,
    values: null,
    body: input.unresolved?.body ?? null,
    requestId: input.unresolved?.requestId ?? null,
  }),
  initial: "editing",
  states: {
    editing: {
      always: { guard: "resumes", target: "asking" },
      on: {
        SUBMIT: { target: "validating", actions: assign({ values: ({ event }) => event.values }) },
        EDIT: {
          actions: assign({
            problems: ({ context, event }) => context.problems.filter(({ field }) => event.field !== undefined && field !== event.field),
          }),
        },
      },
    },
    validating: {
      entry: assign(empty),
      invoke: {
        id: "check",
        src: "check",
        input: ({ context }) => ({ values: context.values }),
        onDone: [
          {
            guard: ({ event }) => event.output.problems !== null,
            target: "editing",
            actions: assign({ problems: ({ event }) => event.output.problems ?? [] }),
          },
          {
            guard: ({ context }) => context.reviews,
            target: "reviewing",
            actions: assign({ body: ({ event }) => event.output.body, requestId: ({ event }) => event.output.requestId }),
          },
          {
            target: "submitting",
            actions: assign({ body: ({ event }) => event.output.body, requestId: ({ event }) => event.output.requestId }),
          },
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
      entry: assign({ problems: [], refusal: null }),
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => ({ requestId: context.requestId ?? "", body: context.body }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "accepted",
            target: "accepted",
            actions: assign({ answer: ({ event }) => (event.output.kind === "accepted" ? event.output.answer : null) }),
          },
          {
            guard: ({ event }) => event.output.kind === "refused" && event.output.refusal.code === "GEN_TOO_FREQUENT",
            target: "coolingDown",
            actions: assign({ refusal: ({ event }) => (event.output.kind === "refused" ? event.output.refusal : null) }),
          },
          {
            guard: ({ event }) => event.output.kind === "refused",
            target: "refused",
            actions: assign({ refusal: ({ event }) => (event.output.kind === "refused" ? event.output.refusal : null) }),
          },
          { guard: ({ event }) => event.output.kind === "failed", target: "failed" },
          { target: "unknown" },
        ],
        // A send that threw may have acted before it did.
        onError: "unknown",
      },
    },
    accepted: { on: { RESET: { target: "editing", actions: assign({ ...empty, values: null }) } } },
    refused: {
      on: {
        EDIT: { target: "editing", actions: assign({ refusal: null }) },
        SUBMIT: { target: "validating", actions: assign({ values: ({ event }) => event.values }) },
      },
    },
    coolingDown: { after: { coolDown: { target: "editing", actions: assign({ refusal: null }) } } },
    failed: {
      on: {
        EDIT: "editing",
        SUBMIT: { target: "validating", actions: assign({ values: ({ event }) => event.values }) },
      },
    },
    unknown: { after: { askAgain: "asking" }, on: { ASK_NOW: "asking" } },
    asking: {
      entry: assign({ resumes: false }),
      invoke: {
        id: "ask",
        src: "ask",
        input: ({ context }) => ({ requestId: context.requestId ?? "" }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "accepted",
            target: "accepted",
            actions: assign({ answer: ({ event }) => (event.output.kind === "accepted" ? event.output.answer : null) }),
          },
          { guard: ({ event }) => event.output.kind === "notReceived", target: "notReceived" },
          { target: "unknown" },
        ],
        onError: "unknown",
      },
    },
    notReceived: { on: { SEND_AGAIN: "submitting", EDIT: { target: "editing", actions: assign(empty) } } },
  },
});
