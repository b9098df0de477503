/** Tests the workspace's panes and charts: limits and defaults of sizes, and which chart shows which instrument. */
// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Workspace, MAX_SAVED } from "#contract/workspace.ts";
import type { SavedWorkspace } from "#contract/workspace.ts";
import { Code } from "#contract/kernel/id.ts";
import {
  activeChart,
  DEFAULT_WORKSPACE,
  defaultSizes,
  LIMITS,
  sizesFor,
  withCode,
  withCount,
  withFrame,
} from "#src/screens/workspace/layout.ts";
import { realisedBy } from "#src/screens/workspace/realised.ts";
import { withSaved } from "#src/streams/workspaces.ts";

const codes = (workspace: Workspace) => workspace.charts.map(({ code }) => code);
const frames = (workspace: Workspace) => workspace.charts.map(({ frame }) => frame);

describe("sizes", () => {
  it("are the window's defaults until the member changes them, and then within the limits", () => {
    expect(sizesFor(DEFAULT_WORKSPACE, 1280, 800)).toEqual(defaultSizes(1280, 800));
    const workspace: Workspace = { ...DEFAULT_WORKSPACE, sizes: { list: 300, book: 0, ticket: 2000, dock: 1 } };
    expect(sizesFor(workspace, 1280, 800)).toEqual({ list: 300, book: 0, ticket: LIMITS.ticket.max, dock: LIMITS.dock.min });
  });

  it("leave a low window's charts their height, and give a high one a higher dock", () => {
    expect(defaultSizes(1280, 800).dock).toBe(124);
    expect(defaultSizes(1280, 600).dock).toBe(LIMITS.dock.min);
    expect(defaultSizes(1920, 1080).dock).toBe(280);
  });
});

describe("charts", () => {
  it("get the shown instrument in another time frame each, and lose their place when there are fewer", () => {
    const four = withCount(DEFAULT_WORKSPACE, "4", "2330");
    expect(codes(four)).toEqual(["2330", "2330", "2330", "2330"]);
    expect(new Set(frames(four)).size).toBe(4);
    expect(Workspace.safeParse(four).success).toBe(true);
    const other = withCode(four, 1, "2317");
    expect(codes(withCount(other, "2", "2330"))).toEqual(["2330", "2317"]);
    expect(codes(withCount(other, "1", "2330"))).toEqual([null]);
  });

  it("remember the address's instrument in the active one only, a single one none", () => {
    expect(withCode(DEFAULT_WORKSPACE, 0, "2330")).toBe(DEFAULT_WORKSPACE);
    const two = withCount(DEFAULT_WORKSPACE, "2", "2330");
    expect(codes(withCode(two, 1, "2603"))).toEqual(["2330", "2603"]);
    expect(withCode(two, 1, "2330")).toBe(two);
  });

  it("activate the chosen one, else the one with the address's instrument, else the first", () => {
    const two = withCode(withCount(DEFAULT_WORKSPACE, "2", "2330"), 1, "2603");
    expect(activeChart(two, null, "2603")).toBe(1);
    expect(activeChart(two, 0, "2603")).toBe(0);
    expect(activeChart(two, null, "2454")).toBe(0);
    // The chosen one is gone.
    expect(activeChart(DEFAULT_WORKSPACE, 1, "2330")).toBe(0);
  });

  it("keep a time frame each", () => {
    const two = withCount(DEFAULT_WORKSPACE, "2", "2330");
    expect(frames(withFrame(two, 1, "1Y"))).toEqual([frames(two)[0], "1Y"]);
  });
});

describe("workspaces", () => {
  it("are replaced by name and bounded in number", () => {
    const full = Array.from({ length: MAX_SAVED }, (_, n): SavedWorkspace => ({ name: `w${n}`, workspace: DEFAULT_WORKSPACE }));
    const two = withCount(DEFAULT_WORKSPACE, "2", "2330");
    expect(withSaved([], "day", two)).toEqual([{ name: "day", workspace: two }]);
    expect(withSaved(full, "w3", two)[3]).toEqual({ name: "w3", workspace: two });
    expect(withSaved(full, "more", two)).toEqual(full);
  });
});

describe("the workspace's schema", () => {
  const workspace = (change: object): boolean => Workspace.safeParse({ ...DEFAULT_WORKSPACE, ...change }).success;
  const chart = { code: null, frame: "1M" };

  it("takes one, two or four charts, sizes in pixels and known codes", () => {
    expect([1, 2, 3, 4, 5].map((count) => workspace({ charts: Array.from({ length: count }, () => chart) }))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(workspace({ charts: [] })).toBe(false);
    expect(workspace({ charts: [{ code: Code.parse("2330"), frame: "1M" }] })).toBe(true);
    expect(workspace({ charts: [{ code: "drop table", frame: "1M" }] })).toBe(false);
    expect(workspace({ charts: [{ code: null, frame: "century" }] })).toBe(false);
    expect(workspace({ sizes: { list: -1, book: null, ticket: null, dock: null } })).toBe(false);
    expect(workspace({ sizes: { list: 4001, book: null, ticket: null, dock: null } })).toBe(false);
  });
});

it("realised profit is summed by instrument over closing executions", () => {
  expect(
    realisedBy([
      { code: Code.parse("2330"), side: "close", profitCents: 300 as never },
      { code: Code.parse("2603"), side: "open", profitCents: 0 as never },
      { code: Code.parse("2330"), side: "close", profitCents: -100 as never },
    ]),
  ).toEqual([["2330", 200]]);
});
