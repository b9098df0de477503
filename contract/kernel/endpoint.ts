/** Endpoints as data: one value from which the client call, handler type, mock, form and OpenAPI entry are derived. */
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
  /** One-sentence summary, published in OpenAPI. */
  readonly does: string;
  readonly body: Body;
  readonly data: Data;
  /** Possible refusals, in the order they are checked. `GEN_PARAM_ERROR` and the rate limit's `GEN_TOO_FREQUENT` are implied. */
  readonly refusals: readonly RefusalCode[];
  /** Counts as a read, although it may also be refused for too many commands. */
  readonly isRead?: true;
  /** Largest body in bytes, where it is more than usual. */
  readonly limitBytes?: number;
}

/** Base path of every call, on the page's own origin. */
export const BASE_PATH = "/api/vue";
/** In a native app, which has no cookies: the known device, in requests and in replies of `/session`. */
export const DEVICE_HEADER = "device";
/** A call unanswered after this many milliseconds has an unknown outcome. */
export const CALL_TIMEOUT_MS = 10_000;

/** Declares one endpoint, preserving its exact types. */
export function endpoint<const Body extends z.ZodMiniType, const Data extends z.ZodMiniType, const Who extends Access>(
  value: Endpoint<Body, Data, Who>,
): Endpoint<Body, Data, Who> {
  return value;
}

/** The body as the caller writes it (schema input). */
export type BodyIn<E extends Endpoint> = z.input<E["body"]>;
/** The body as the handler reads it (schema output). */
export type BodyOf<E extends Endpoint> = z.output<E["body"]>;
/** The reply's `data`. */
export type DataOf<E extends Endpoint> = z.output<E["data"]>;
