/** Time and sales of the instrument on screen: its latest trades one by one. */
import { channel } from "./channels.ts";
import type { ChannelUpdate } from "./worker.ts";

export type TapeUpdate = ChannelUpdate<"tape">;

/** An instrument's latest trades, oldest first. Only one tape is watched at a time: the one subscribed last. */
export const tape$ = channel("tape");
