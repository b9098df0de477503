/** Tests that the list of keys names every key that the workspace and its ticket act on, once, and that the workspace acts on its own. */
import { expect, test } from "vitest";
import { HOTKEYS } from "#src/screens/market/hotkeys.ts";
import { KEYS, workspaceActionOf, WORKSPACE_KEYS } from "#src/screens/workspace/keys.ts";

const listed = (group: string): string[] =>
  KEYS.filter((row) => row.group === group)
    .flatMap(({ keys }) => keys.map((combination) => combination.join("+")))
    .toSorted();

test("the ticket's keys are those that its handler knows", () => {
  expect(listed("ticket")).toEqual(HOTKEYS.map(({ caps }) => caps.join("+")).toSorted());
  expect(KEYS.find(({ does }) => does === "lots")?.keys).toEqual([
    ["Shift", "1"],
    ["Shift", "5"],
    ["Shift", "0"],
  ]);
});

test("the workspace's keys are those that it acts on, besides the list's and the chart's", () => {
  const own = Object.keys(WORKSPACE_KEYS).map((key) => key.toUpperCase());
  expect(listed("workspace")).toEqual([...own, "↑", "↓", "1+–+9"].toSorted());
  expect(Object.keys(WORKSPACE_KEYS).map(workspaceActionOf)).toEqual(["chartBefore", "chartAfter", "count", "dock", "layout"]);
  expect(["D", "x", "toString"].map(workspaceActionOf)).toEqual([null, null, null]);
});

test("no key of the workspace is one of the ticket's", () => {
  const ticket = new Set(HOTKEYS.map(({ key }) => key));
  expect(Object.keys(WORKSPACE_KEYS).filter((key) => ticket.has(key))).toEqual([]);
});
