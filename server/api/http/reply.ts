/** The reply envelope: success with its operation message, refusal with its catalogue text filled in. */
import type * as z from "zod/mini";
import type { EndpointName } from "#contract/endpoints.ts";
import { operations } from "#contract/kernel/operation.ts";
import type { OperationCode } from "#contract/kernel/operation.ts";
import { isRefusalCode, refusals } from "#contract/kernel/refusal.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Accepted, RefusalParams, Refused } from "#contract/kernel/reply.ts";

/** Operation message of a success; endpoints not listed use the generic one. */
const OPERATIONS: Partial<Record<EndpointName, OperationCode>> = {
  signIn: "OP_LOGIN_OK",
  signInWithPasskey: "OP_LOGIN_OK",
  register: "OP_REGISTER_OK",
  resetPassword: "OP_CHANGE_PASSWORD_OK",
  changePassword: "OP_CHANGE_PASSWORD_OK",
  setFundPassword: "OP_SET_FUND_PASSWORD_OK",
  changeFundPassword: "OP_SET_FUND_PASSWORD_OK",
  resetFundPassword: "OP_SET_FUND_PASSWORD_OK",
  placeOrder: "OP_SUBMIT_OK",
  closeOrder: "OP_SUBMIT_OK",
  cancelOrder: "OP_CANCEL_ORDER_OK",
  addWatch: "OP_FAVORITE_ADD_OK",
  removeWatch: "OP_FAVORITE_REMOVE_OK",
};

export function accepted<Data>(name: EndpointName, data: Data): Accepted<Data> {
  return { status: 1, msg: operations[OPERATIONS[name] ?? "OP_OPERATION_OK"], data };
}

/** The envelope of a refusal; placeholders such as `{n}` in the catalogue text are filled from `params`. */
export function refused(code: RefusalCode, params: RefusalParams = {}, field?: string): Refused {
  const msg = refusals[code].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
  return { status: 0, msg, data: null, code, params, ...(field === undefined ? {} : { field }) };
}

/**
 * The refusal of a body that fails validation: the first issue's message if it is a refusal code, else `GEN_PARAM_ERROR`, with the
 * top-level field concerned.
 */
export function refusedBody(issues: readonly z.core.$ZodIssue[]): Refused {
  const issue = issues[0];
  const field = issue?.path[0];
  const code = issue && isRefusalCode(issue.message) ? issue.message : "GEN_PARAM_ERROR";
  const bound = issue?.code === "too_big" ? issue.maximum : issue?.code === "too_small" ? issue.minimum : undefined;
  const params: RefusalParams = bound !== undefined && refusals[code].includes("{n}") ? { n: Number(bound) } : {};
  return refused(code, params, field === undefined ? undefined : String(field));
}
