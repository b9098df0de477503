/** Every event of the request machine, including actor results, under the short names used in the tables. */

const refusal = (code: string) => ({ kind: "refused", refusal: { code, params: {}, field: null, msg: "" } });
const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, output, actorId: id });
const error = (id: string) => ({ type: `xstate.error.actor.${id}`, error: new Error("no"), actorId: id });

export const requestEvents = {
  SUBMIT: { type: "SUBMIT", values: {} },
  CONFIRM: { type: "CONFIRM" },
  REVIEW_AGAIN: { type: "REVIEW_AGAIN" },
  EDIT: { type: "EDIT" },
  SEND_AGAIN: { type: "SEND_AGAIN" },
  ASK_NOW: { type: "ASK_NOW" },
  OUTCOME_RECEIVED: { type: "OUTCOME_RECEIVED", answer: {} },
  RESET: { type: "RESET" },
  "check: problems": done("check", { problems: [{ field: "lots", code: "VAL_LOTS_INTEGER", params: {} }], body: null, requestId: null }),
  "check: valid": done("check", { problems: null, body: {}, requestId: "one" }),
  "check: threw": error("check"),
  "send: accepted": done("send", { kind: "accepted", answer: {} }),
  "send: refused": done("send", refusal("FUND_AVAILABLE_INSUFFICIENT")),
  "send: too frequent": done("send", refusal("GEN_TOO_FREQUENT")),
  "send: failed": done("send", { kind: "failed" }),
  "send: unknown": done("send", { kind: "unknown" }),
  "send: threw": error("send"),
  "ask: accepted": done("ask", { kind: "accepted", answer: {} }),
  "ask: not received": done("ask", { kind: "notReceived" }),
  "ask: unknown": done("ask", { kind: "unknown" }),
  "ask: threw": error("ask"),
  "350 ms": { type: "xstate.after.reviewGuard.request.reviewing.guarded" },
  "3 s": { type: "xstate.after.coolDown.request.coolingDown" },
  "2 s": { type: "xstate.after.askAgain.request.unknown" },
};
