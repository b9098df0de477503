/** Every event of the conversion machine, including actor results, under the short names used in the tables. */

const refusal = { code: "FUND_AVAILABLE_INSUFFICIENT", params: {}, field: null, msg: "" };
const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, output, actorId: id });
const error = (id: string) => ({ type: `xstate.error.actor.${id}`, error: new Error("no"), actorId: id });

export const conversionEvents = {
  ASK: { type: "ASK", terms: {} },
  ASK_AGAIN: { type: "ASK_AGAIN" },
  ACCEPT: { type: "ACCEPT", requestId: "one" },
  EDIT: { type: "EDIT" },
  ASK_NOW: { type: "ASK_NOW" },
  "quote: quoted": done("askQuote", { kind: "quoted", quote: { quoteId: "q", lifetimeMs: 15_000 } }),
  "quote: refused": done("askQuote", { kind: "refused", refusal }),
  "quote: failed": done("askQuote", { kind: "failed" }),
  "quote: threw": error("askQuote"),
  "accept: done": done("accept", { kind: "done", conversion: {} }),
  "accept: expired": done("accept", { kind: "expired", refusal }),
  "accept: refused": done("accept", { kind: "refused", refusal }),
  "accept: unknown": done("accept", { kind: "unknown" }),
  "accept: threw": error("accept"),
  "outcome: done": done("askOutcome", { kind: "done", conversion: {} }),
  "outcome: not received": done("askOutcome", { kind: "notReceived" }),
  "outcome: unknown": done("askOutcome", { kind: "unknown" }),
  "outcome: threw": error("askOutcome"),
  "15 s": { type: "xstate.after.lifetime.conversion.quoted" },
  "2 s": { type: "xstate.after.outcomeAgain.conversion.unknown.waiting" },
};
