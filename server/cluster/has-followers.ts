/** Tells whether servers follow one another. In a file of its own: a server without Redis loads nothing of what does it. */
import type { ServerConfig } from "#server/config.ts";

/** Whether servers with this configuration follow one another: a feed has one reader, so there they only stand by. */
export const hasFollowers = ({ redisUrl, databaseUrl, feed }: ServerConfig): boolean =>
  redisUrl !== null && databaseUrl !== null && feed.kind === "simulator";
