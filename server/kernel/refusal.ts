/** The error that ends a call with a refusal code. */
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";

/** Thrown to refuse a call; rolls back a surrounding transaction. The reply is `{ status: 0, code, params, msg }`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly params: RefusalParams;
  readonly field: string | undefined;

  constructor(code: RefusalCode, params: RefusalParams = {}, field?: string, options?: ErrorOptions) {
    super(code, options);
    this.name = "Refusal";
    this.code = code;
    this.params = params;
    this.field = field;
  }
}
