/** The five-level order book of the instrument on screen. */
import { channel } from "./channels.ts";

/** An instrument's order book as it changes. Only one is watched at a time: the one subscribed last. */
export const depth$ = channel("depth");
