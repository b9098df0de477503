/** The life of a conversion quote on the phone: asked, quoted while its time runs, expired, accepted once, and its outcome known or queried. */
import { assign, fromPromise, setup } from "xstate";
import type { RequestRefusal } from "./request.ts";

/** What is asked for; the machine only hands it on. */
export type QuoteTerms = unknown;

/** A live quote, as far as its life depends on it. */
export interface LiveQuote {
  quoteId: string;
  /** How long it may be accepted from its arrival, in milliseconds. */
  lifetimeMs: number;
}

/** The answer to asking for a quote. */
export type QuoteAnswer = { kind: "quoted"; quote: LiveQuote } | { kind: "refused"; refusal: RequestRefusal } | { kind: "failed" };

/** The answer to accepting it. `expired`: the quote ended or the rate moved. `unknown`: it may have been exchanged. */
export type AcceptAnswer =
  | { kind: "done"; conversion: unknown }
  | { kind: "expired"; refusal: RequestRefusal }
  | { kind: "refused"; refusal: RequestRefusal }
  | { kind: "unknown" };

/** The answer to asking what became of it. `notReceived`: it never arrived, and the server will refuse it should it still arrive. */
export type OutcomeAnswer = { kind: "done"; conversion: unknown } | { kind: "notReceived" } | { kind: "unknown" };

export interface ConversionContext {
  terms: QuoteTerms;
  quote: LiveQuote | null;
  /** The id of the acceptance; a new one for each. */
  requestId: string | null;
  refusal: RequestRefusal | null;
  /** Asking for a quote failed without an answer; it can be asked again. */
  failed: boolean;
  conversion: unknown;
}

type ConversionEvent =
  /** Ask for a quote; while one is shown, for a new one. */
  | { type: "ASK"; terms: QuoteTerms }
  /** Ask again with the same terms. */
  | { type: "ASK_AGAIN" }
  | { type: "ACCEPT"; requestId: string }
  /** Back to the form; the quote is left to expire. */
  | { type: "EDIT" }
  /** Query the outcome now: the connection is back. */
  | { type: "ASK_NOW" };

/** Interval for querying an unknown outcome. */
export const OUTCOME_AGAIN_MS = 2_000;

/** Requires the actors `askQuote`, `accept` and `askOutcome` from `.provide()`. */
export const conversionMachine = setup({
  types: { context: {} as ConversionContext, events: {} as ConversionEvent },
  actors: {
    askQuote: fromPromise<QuoteAnswer, { terms: QuoteTerms }>(() =>
      Promise.reject(new Error("conversionMachine: actor askQuote not provided")),
    ),
    accept: fromPromise<AcceptAnswer, { requestId: string; quoteId: string }>(() =>
      Promise.reject(new Error("conversionMachine: actor accept not provided")),
    ),
    askOutcome: fromPromise<OutcomeAnswer, { requestId: string }>(() =>
      Promise.reject(new Error("conversionMachine: actor askOutcome not provided")),
    ),
  },
  delays: { lifetime: ({ context }) => context.quote?.lifetimeMs ?? 0, outcomeAgain: OUTCOME_AGAIN_MS },
  guards: {
    isQuoted: (_, { kind }: QuoteAnswer) => kind === "quoted",
    isTurnedDown: (_, { kind }: QuoteAnswer) => kind === "refused",
    isDone: (_, { kind }: AcceptAnswer | OutcomeAnswer) => kind === "done",
    isExpired: (_, { kind }: AcceptAnswer) => kind === "expired",
    isRefused: (_, { kind }: AcceptAnswer) => kind === "refused",
    isNotReceived: (_, { kind }: OutcomeAnswer) => kind === "notReceived",
  },
  actions: {
    keepTerms: assign({ terms: (_, { terms }: { terms: QuoteTerms }) => terms }),
    keepQuote: assign({ quote: (_, answer: QuoteAnswer) => (answer.kind === "quoted" ? answer.quote : null) }),
    keepRefusal: assign({ refusal: (_, answer: QuoteAnswer | AcceptAnswer) => ("refusal" in answer ? answer.refusal : null) }),
    keepConversion: assign({
      conversion: (_, answer: AcceptAnswer | OutcomeAnswer) => (answer.kind === "done" ? answer.conversion : null),
    }),
    keepRequest: assign({ requestId: (_, { requestId }: { requestId: string }) => requestId }),
    noteFailure: assign({ failed: true }),
    forgetQuote: assign({ quote: null, requestId: null, refusal: null, failed: false, conversion: null }),
  },
}).createMachine({
  id: "conversion",
  context: { terms: null, quote: null, requestId: null, refusal: null, failed: false, conversion: null },
  initial: "editing",
  states: {
    editing: { on: { ASK: { target: "asked", actions: { type: "keepTerms", params: ({ event }) => event } } } },
    asked: {
      entry: "forgetQuote",
      invoke: {
        id: "askQuote",
        src: "askQuote",
        input: ({ context }) => ({ terms: context.terms }),
        onDone: [
          {
            guard: { type: "isQuoted", params: ({ event }) => event.output },
            target: "quoted",
            actions: { type: "keepQuote", params: ({ event }) => event.output },
          },
          {
            guard: { type: "isTurnedDown", params: ({ event }) => event.output },
            target: "editing",
            actions: { type: "keepRefusal", params: ({ event }) => event.output },
          },
          { target: "editing", actions: "noteFailure" },
        ],
        onError: { target: "editing", actions: "noteFailure" },
      },
      on: { EDIT: "editing" },
    },
    quoted: {
      after: { lifetime: "expired" },
      on: {
        ACCEPT: { target: "accepting", actions: { type: "keepRequest", params: ({ event }) => event } },
        ASK_AGAIN: "asked",
        EDIT: { target: "editing", actions: "forgetQuote" },
      },
    },
    expired: { on: { ASK_AGAIN: "asked", EDIT: { target: "editing", actions: "forgetQuote" } } },
    accepting: {
      invoke: {
        id: "accept",
        src: "accept",
        input: ({ context }) => ({ requestId: context.requestId ?? "", quoteId: context.quote?.quoteId ?? "" }),
        onDone: [
          {
            guard: { type: "isDone", params: ({ event }) => event.output },
            target: "done",
            actions: { type: "keepConversion", params: ({ event }) => event.output },
          },
          {
            guard: { type: "isExpired", params: ({ event }) => event.output },
            target: "expired",
            actions: { type: "keepRefusal", params: ({ event }) => event.output },
          },
          {
            guard: { type: "isRefused", params: ({ event }) => event.output },
            target: "editing",
            actions: { type: "keepRefusal", params: ({ event }) => event.output },
          },
          { target: "unknown" },
        ],
        // An acceptance that threw may have reached the server first.
        onError: "unknown",
      },
    },
    unknown: {
      initial: "querying",
      states: {
        waiting: { after: { outcomeAgain: "querying" }, on: { ASK_NOW: "querying" } },
        querying: {
          invoke: {
            id: "askOutcome",
            src: "askOutcome",
            input: ({ context }) => ({ requestId: context.requestId ?? "" }),
            onDone: [
              {
                guard: { type: "isDone", params: ({ event }) => event.output },
                target: "#conversion.done",
                actions: { type: "keepConversion", params: ({ event }) => event.output },
              },
              { guard: { type: "isNotReceived", params: ({ event }) => event.output }, target: "#conversion.expired" },
              { target: "waiting" },
            ],
            onError: "waiting",
          },
        },
      },
    },
    done: { on: { EDIT: { target: "editing", actions: "forgetQuote" } } },
  },
});
