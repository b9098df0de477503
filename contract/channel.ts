/** Channels: the streamed nouns beside quotes, with what a view requests of each and what the server sends. */
import * as z from "zod/mini";
import { BlockMarket } from "./block-market.ts";
import { DepthSchema } from "./quote.ts";
import { Contribution } from "./sector-heat.ts";
import { TradeBatch } from "./tape.ts";

/** A row of the instrument table; the server refuses a view that requests a row the venue does not have. */
const Row = z.int().check(z.minimum(0));

/** Each channel's `request` in a view, and the `payload` in snapshots and pushes. */
export const CHANNELS = {
  /** Five-level depth of a row. */
  depth: { request: Row, payload: DepthSchema },
  /** Individual trades of a row: the newest in a snapshot, then each new one once. */
  tape: { request: Row, payload: TradeBatch },
  /** Breadth and leading contributors of the index at a row. */
  contribution: { request: Row, payload: Contribution },
  /** The block market: every offer with what is left, and the prices it is compared with. */
  blocks: { request: z.literal(true), payload: BlockMarket },
  /** Flat HEAT_FIELDS of every category. */
  heat: { request: z.literal(true), payload: z.array(z.int()) },
};

export type Channel = keyof typeof CHANNELS;
type Part = "request" | "payload";
type Shape<Of extends Part> = { [Name in Channel]: z.ZodMiniOptional<(typeof CHANNELS)[Name][Of]> };

const shapeOf = <Of extends Part>(part: Of): Shape<Of> =>
  Object.fromEntries(Object.entries(CHANNELS).map(([name, channel]) => [name, z.optional(channel[part])])) as Shape<Of>;

/** The channels a view requests; a missing one is not watched. */
export const ChannelRequests = z.object(/* @__PURE__ */ shapeOf("request"));
export type ChannelRequests = z.infer<typeof ChannelRequests>;
export type ChannelRequest<Name extends Channel> = z.infer<(typeof CHANNELS)[Name]["request"]>;

/** The current payload of each requested channel; missing where there is none, as for the contribution of a row that is no index. */
export const ChannelPayloads = z.object(/* @__PURE__ */ shapeOf("payload"));
export type ChannelPayloads = z.infer<typeof ChannelPayloads>;
export type ChannelPayload<Name extends Channel> = z.infer<(typeof CHANNELS)[Name]["payload"]>;
