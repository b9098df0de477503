/** Tests the channels: their schemas, and that a streamed noun stays in the few files that CONTRIBUTING names. */
import { describe, expect, it } from "vitest";
import { ChannelPayloads, ChannelRequests, CHANNELS } from "#contract/channel.ts";
import type { Channel } from "#contract/channel.ts";
import { files } from "#tests/support/tree.ts";

/** The way from the socket to the stream: schema and its row, publisher, worker part and its row, stream. A screen and a test make eight. */
const PATH = /^(?:contract|workers|src\/streams|server\/realtime)\/|^server\/venue\/market-data\/channel-reader\.ts$/;
const MOST_FILES = 6;

const channels = Object.keys(CHANNELS) as Channel[];

describe("a view's channels", () => {
  it("are all optional", () => {
    expect(ChannelRequests.parse({})).toEqual({});
    expect(ChannelPayloads.parse({})).toEqual({});
  });

  it("are checked by their own schemas", () => {
    expect(ChannelRequests.parse({ depth: 3, heat: true })).toEqual({ depth: 3, heat: true });
    for (const wrong of [{ depth: -1 }, { tape: null }, { heat: false }, { contribution: 1.5 }]) {
      expect(ChannelRequests.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
    expect(ChannelPayloads.parse({ tape: { row: 1, trades: [] } })).toEqual({ tape: { row: 1, trades: [] } });
    expect(ChannelPayloads.safeParse({ heat: [0.5] }).success).toBe(false);
  });
});

describe.each(channels)("the channel %s", (channel) => {
  it("is named in few files from the socket to the stream", () => {
    const name = new RegExp(`"${channel}"|\\b${channel}:|channels\\.${channel}\\b`);
    const naming = files.filter(({ path, text }) => PATH.test(path) && name.test(text)).map(({ path }) => path);
    expect(naming).toContain("contract/channel.ts");
    expect(naming.length, naming.join()).toBeLessThanOrEqual(MOST_FILES);
  });
});
