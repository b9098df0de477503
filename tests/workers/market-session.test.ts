/** Tests the worker end to end: a real socket server, answered calls, and the messages sent through the port. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import { CALLED } from "#workers/protocol.ts";
import type { Sorting, Watching } from "#workers/protocol.ts";
import { until } from "#tests/support/until.ts";
import { Broker, Page } from "./broker.ts";
import { fact, order } from "./sample.ts";

const NOTHING: Watching = {
  ahead: [],
  quotes: [],
  ranks: [],
  sorts: [],
  channels: {},
  profits: [],
  profitSum: false,
};
const MINE: Sorting = { codes: ["1003", "1002"], by: "volume", descending: true };

let broker: Broker;
let page: Page;

beforeEach(async () => {
  broker = new Broker();
  await broker.start();
  const real = fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    CALLED.some((name) => url.endsWith(`/${name}`)) ? broker.answer(url, init) : real(url, init),
  );
  page = new Page();
});

afterEach(async () => {
  page.session.disconnect();
  await broker.stop();
  vi.unstubAllGlobals();
});

describe("the market worker", () => {
  it("sends the table, then the cells on screen, then only their changes", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00");
    expect(page.of("instruments")[0]?.table.instruments).toHaveLength(30);
    const before = page.of("frame").length;
    broker.venue.move([3, 4, 5]);
    await until(() => page.texts.get(1) === "1,085.50");
    expect(page.of("frame").length).toBe(before + 1);
    page.mount(2, "1004");
    await until(() => page.texts.get(2) === "1,085.50");
    broker.venue.move([5, 6]);
    await wait(300);
    expect(page.of("frame").at(-1)?.cells.length ?? 0).toBeLessThanOrEqual(3);
  });

  it("knows the quotes of the codes ahead before their cells mount", async () => {
    page.session.receive({ kind: "watching", watching: { ...NOTHING, ahead: ["1004"] } });
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00");
    // From here on nothing can come from the broker.
    broker.reachable = false;
    await broker.stop();
    page.mount(2, "1004");
    await until(() => page.texts.get(2) === "1,085.00");
  });

  it("takes the phase from a snapshot: the table may have been read before it changed", async () => {
    const { state } = broker.venue;
    broker.venue.state = (now) => ({ ...state(now), phase: "closed" });
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.of("instruments").length > 0);
    expect(page.of("instruments")[0]?.table.venue.phase).toBe("closed");
    await until(() => page.of("venue").at(-1)?.venue.phase === "open");
  });

  it("takes a table that grew: what is on screen stays, and the new row is found, watched and traded", async () => {
    page.connect(broker);
    page.session.setPositions([order("1002", 2)]);
    page.session.receive({
      kind: "watching",
      watching: { ...NOTHING, profits: ["K000000000001"], sorts: [{ key: "mine", sorting: MINE }] },
    });
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00" && page.frames("profits").length > 0);
    expect(await page.session.search("1030", 5)).toEqual([]);
    broker.grow();
    await until(() => page.of("instruments").length === 2);
    expect(page.of("instruments")[1]?.table.instruments).toHaveLength(31);
    expect(await page.session.search("1030", 5)).toEqual(["1030"]);
    // The view is as before, so that no quote is sent again; the known one is still there.
    page.mount(3, "1003");
    await until(() => page.texts.get(3) === "1,085.00");
    page.mount(2, "1030");
    await until(() => page.texts.get(2) === "1,085.00");
    broker.venue.move([30, 2]);
    await until(() => page.texts.get(2) === "1,085.50" && page.frames("profits").length > 1);
    broker.grow();
    broker.grow();
    await until(() => page.of("instruments").at(-1)?.table.instruments.length === 33);
    broker.venue.move([32]);
    page.mount(4, "1032");
    await until(() => page.texts.get(4) === "1,085.50");
  });

  it("sends heartbeats while nothing changes", async () => {
    page.connect(broker);
    await until(() => page.connectionEvents().includes("RECEIVED"));
    const before = page.connectionEvents().length;
    await until(() => page.connectionEvents().length >= before + 2);
    expect(new Set(page.connectionEvents().slice(before))).toEqual(new Set(["RECEIVED"]));
  });

  it("sends watched quotes, rankings, depth, profits and their sum", async () => {
    page.connect(broker);
    page.session.setPositions([order("1002", 2)]);
    page.session.receive({
      kind: "watching",
      watching: {
        ...NOTHING,
        quotes: ["1000"],
        ranks: [{ key: "hot", rank: { by: "turnover", board: null, category: null, size: 2 } }],
        channels: { depth: "1000" },
        profits: ["K000000000001"],
        profitSum: true,
      },
    });
    await until(() => page.updates("depth").length > 0 && page.frames("profits").some(([update]) => update?.profit));
    expect(page.frames("quotes")[0]?.[0]).toMatchObject({ code: "1000", tone: 1 });
    expect(page.frames("ranks")).toEqual([[["hot", ["1000", "1001"]]]]);
    expect(page.updates("depth")[0]).toMatchObject(["1000", { bids: [[10_845_000, 5]] }]);
    const profit = page.frames("profits").at(-1)?.[0]?.profit;
    expect(page.frames("profitSum").at(-1)).toMatchObject({ profitCents: profit?.profitCents, priced: 1 });
    broker.venue.ranked = [7, 8];
    await until(() => page.frames("ranks").length === 2);
    expect(page.frames("ranks")[1]).toEqual([["hot", ["1007", "1008"]]]);
  });

  it("sends no total before the positions are known", async () => {
    page.connect(broker);
    page.session.receive({ kind: "watching", watching: { ...NOTHING, quotes: ["1000"], profitSum: true } });
    await until(() => page.frames("quotes").length > 0);
    expect(page.frames("profitSum")).toEqual([]);
    page.session.setPositions([]);
    await until(() => page.frames("profitSum").length > 0);
    expect(page.frames("profitSum")[0]).toMatchObject({ profitCents: 0, priced: 0, unpriced: 0 });
  });

  it("loads a chart, pages older bars and moves the forming one", async () => {
    page.connect(broker);
    const chart = page.session.openChart({ code: "1001", period: "day", adjustment: "none", studies: ["ma"], settings: USUAL_STUDIES });
    await until(() => page.of("chart").length === 1);
    expect(page.of("chart")[0]).toMatchObject({ chart, change: "loaded", more: true });
    page.session.loadOlder(chart);
    await until(() => page.of("chart").length === 2);
    page.session.loadOlder(chart);
    broker.venue.move([1]);
    await until(() => page.frames("bars").length > 0);
    expect(page.frames("bars").at(-1)?.slice(0, 1)).toEqual([chart]);
    expect(page.of("chart").map((message) => message.change)).toEqual(["loaded", "older"]);
  });

  it("sends heat, index contributors, a tape and a sorted list", async () => {
    page.connect(broker);
    page.session.receive({
      kind: "watching",
      watching: { ...NOTHING, channels: { tape: "1002", contribution: "1000", heat: "" }, sorts: [{ key: "mine", sorting: MINE }] },
    });
    await until(() => page.updates("heat").length > 0 && page.updates("contribution").length > 0 && page.frames("ranks").length > 0);
    expect(page.updates("heat")[0]).toEqual(["", { flat: broker.venue.heats, texts: [["+1.25%", "1.00m"]] }]);
    expect(page.updates("contribution")[0]).toMatchObject([
      "1000",
      { code: "1000", index: { up: 2 }, texts: { leaders: ["+0.25"], laggards: ["−0.03"] } },
    ]);
    expect(page.frames("ranks").at(-1)).toEqual([["mine", ["1003", "1002"]]]);
    broker.venue.trade(2, 7);
    await until(() => page.updates("tape").at(-1)?.[1].texts.length === 1);
    expect(page.updates("tape")[0]).toEqual(["1002", { code: "1002", flat: [], texts: [] }]);
    expect(page.updates("tape").at(-1)).toMatchObject(["1002", { texts: [[expect.any(String), "1,085.00", "7"]] }]);
    await until(() => page.frames("ranks").length === 2);
    expect(page.frames("ranks").at(-1)).toEqual([["mine", ["1002", "1003"]]]);
  });

  it("sends the same while polling, and counts the traffic", async () => {
    page.connect(broker);
    await until(() => page.connectionEvents().includes("RECEIVED"));
    await broker.stop();
    const before = page.session.traffic();
    expect(before.bytes).toBeGreaterThan(1_000);
    page.session.receive({ kind: "polling", on: true });
    page.session.receive({
      kind: "watching",
      watching: { ...NOTHING, quotes: ["1000"], channels: { tape: "1000", contribution: "1000", heat: "" } },
    });
    await until(() => page.updates("heat").length > 0 && page.updates("contribution").length > 0);
    const { bytes, messages, quotes, sinceMs } = page.session.traffic();
    expect(bytes).toBeGreaterThan(before.bytes);
    expect(messages).toBeGreaterThanOrEqual(before.messages + 4);
    expect(quotes).toBeGreaterThan(before.quotes);
    expect(sinceMs).toBeLessThanOrEqual(Date.now());
  });

  it("requests updates once a second with data saver on", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.size === 1);
    page.session.setSaving(true);
    await wait(150);
    const before = page.of("frame").length;
    const began = performance.now();
    // An odd number: the price goes up and down by turns and must end at another one.
    for (let moves = 0; moves < 13; moves++) {
      broker.venue.move([3]);
      await wait(100);
    }
    await until(() => page.of("frame").length > before);
    // However slow the machine: about one frame per second, not one per change.
    expect(page.of("frame").length - before).toBeLessThanOrEqual((performance.now() - began) / 1000 + 2);
  });

  it("polls the same screen while the socket is down, and is live within a second after it reconnects", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00");
    await broker.stop();
    await until(() => page.connectionEvents().at(-1) === "DISCONNECTED");
    page.session.receive({ kind: "polling", on: true });
    broker.venue.move([3]);
    await until(() => page.texts.get(1) === "1,085.50");
    expect(page.connectionEvents()).toContain("POLLED");
    broker.reachable = false;
    await until(() => page.connectionEvents().at(-1) === "POLL_FAILED");
    page.session.receive({ kind: "polling", on: false });
    broker.venue.move([3]);
    broker.reachable = true;
    // Reconnection attempts are at most 2 s apart; the second counts from the reconnection.
    await broker.start();
    const opened = page.connectionEvents().filter((event) => event === "CONNECTED").length;
    await until(() => page.connectionEvents().filter((event) => event === "CONNECTED").length > opened);
    const from = Date.now();
    await until(() => page.texts.get(1) === "1,085.00");
    expect(Date.now() - from).toBeLessThan(1_000);
  });

  it("delivers facts that were created while disconnected", async () => {
    broker.facts = [fact(1), fact(2)];
    page.connect(broker);
    await until(() => page.connectionEvents().includes("RECEIVED"));
    await wait(50);
    broker.publish(fact(3));
    await until(() => page.facts().length === 1);
    await broker.stop();
    broker.facts.push(fact(4), fact(5));
    await broker.start();
    await until(() => page.facts().length === 3);
    broker.publish(fact(6));
    await until(() => page.facts().length === 4);
    expect(page.facts()).toEqual([3, 4, 5, 6]);
  });

  it("reloads table and screen when the venue's reference data changes", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.size === 1);
    await broker.stop();
    broker.universe = "another";
    await broker.start();
    page.texts.clear();
    await until(() => page.of("instruments").length === 2);
    await until(() => page.texts.get(1) === "1,085.00");
  });

  it("reloads the table when polling finds other reference data", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.size === 1);
    await broker.stop();
    broker.universe = "another";
    page.session.receive({ kind: "polling", on: true });
    await until(() => page.of("instruments").length === 2);
    expect(page.of("instruments")[1]?.table.venue.universe).toBe("another");
  });

  it("reports an expired session once and clears everything", async () => {
    page.connect(broker);
    await until(() => page.connectionEvents().includes("RECEIVED"));
    await broker.stop();
    broker.expired = true;
    await broker.start();
    await until(() => page.of("expired").length > 0);
    await wait(300);
    expect(page.of("expired")).toHaveLength(1);
    expect(await page.session.search("1003", 5)).toEqual([]);
  });

  it("watches nothing while the page is hidden, and everything again afterwards", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    page.session.openChart({ code: "1003", period: "minute", adjustment: "none", studies: [], settings: USUAL_STUDIES });
    await until(() => page.texts.size === 1 && page.of("chart").length === 1);
    page.session.setVisible(false);
    await wait(150);
    const before = page.of("frame").length;
    broker.venue.move([3]);
    await wait(400);
    expect(page.of("frame").length).toBe(before);
    const charts = page.of("chart").length;
    page.session.setVisible(true);
    await until(() => page.texts.get(1) === "1,085.50");
    // Trades missed while hidden are reloaded.
    await until(() => page.of("chart").length > charts);
  });
});
