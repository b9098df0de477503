/** New ids as clients make them, for requests, alerts and watchlist groups. */
import { randomUUID } from "node:crypto";
import { RequestId } from "#contract/kernel/id.ts";

export const uuid = (): RequestId => RequestId.parse(randomUUID());
