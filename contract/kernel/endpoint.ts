/** An endpoint as data: one value from which the call, the handler's type, the mock, the form and OpenAPI are made. */
import type * as z from "zod/mini";
import type { RefusalCode } from "./refusal.ts";

/** Who may call: anyone, or only a signed-in member. */
export type Access = "open" | "member";

export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Data extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
> {
  /** Below the base path; every call is `POST <BASE_PATH><path>` with a JSON body. */
  readonly path: `/${string}`;
  readonly access: Who;
  /** One sentence for the reader of the API. */
  readonly does: string;
  readonly body: Body;
  readonly data: Data;
  /** What may be refused, in the order it is asked; `GEN_PARAM_ERROR` and, for who calls too often, `GEN_TOO_FREQUENT` go without saying. */
  readonly refusals: readonly RefusalCode[];
}

/** Every call lives below this path on the page's own origin. */
export const BASE_PATH = "/api/vue";
/** A call without an answer after this long has an unknown outcome. */
export const CALL_TIMEOUT_MS = 10_000;

/** Declare one endpoint, keeping its exact types. */
export function endpoint<const Body extends z.ZodMiniType, const Data extends z.ZodMiniType, const Who extends Access>(
  value: Endpoint<Body, Data, Who>,
): Endpoint<Body, Data, Who> {
  return value;
}

/** What a caller writes into an endpoint's body. */
export type BodyIn<E extends Endpoint> = z.input<E["body"]>;
/** What a handler reads from an endpoint's body. */
export type BodyOf<E extends Endpoint> = z.output<E["body"]>;
/** What an endpoint answers with. */
export type DataOf<E extends Endpoint> = z.output<E["data"]>;
