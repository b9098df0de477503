/** Every event of the session machine, including restore results, under the short names used in the tables. */

const restored = (output: unknown) => ({ type: "xstate.done.actor.restore", output, actorId: "restore" });
export const sessionEvents = {
  SIGNED_IN: { type: "SIGNED_IN", account: "demo" },
  EXIT: { type: "EXIT" },
  EXPIRED: { type: "EXPIRED", route: "/trade/index" },
  LEFT_ELSEWHERE: { type: "LEFT_ELSEWHERE" },
  SIGNED_IN_ELSEWHERE: { type: "SIGNED_IN_ELSEWHERE", account: "demo" },
  RETURNED: { type: "RETURNED" },
  "restore: alive": restored({ kind: "alive", account: "demo" }),
  "restore: none": restored({ kind: "none" }),
  "restore: unreachable": restored({ kind: "unreachable", account: "demo" }),
  "restore: threw": { type: "xstate.error.actor.restore", error: new Error("no"), actorId: "restore" },
  "1 s": { type: "xstate.after.leave.session.leaving" },
  "2 s": { type: "xstate.after.expire.session.expired" },
};
