/** Request ids of orders that the broker places by itself: the same for the same cause, so that none is placed twice. */
import { createHash } from "node:crypto";
import { RequestId } from "#contract/kernel/id.ts";

export function derivedRequestId(...cause: readonly (string | number)[]): RequestId {
  const hex = createHash("sha256").update(cause.join(" ")).digest("hex");
  return RequestId.parse(`${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`);
}
