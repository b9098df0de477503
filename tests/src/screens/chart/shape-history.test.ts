/** Tests undo and redo of changes to shapes: their order, what another change does to them, and the shapes they lead to. */
import { beforeEach, expect, test } from "vitest";
import type { ChartShape } from "#contract/preference.ts";
import { changedLast, noteStep, redoStep, undoStep, withShape } from "#src/screens/chart/shape-history.ts";
import { forgetAll } from "#src/streams/resource.ts";

const shape = (id: string, price: number): ChartShape =>
  ({ id, kind: "trend", from: { at: 0, price }, to: { at: 1, price } }) as unknown as ChartShape;
const [added, moved, other] = [shape("a", 1), shape("a", 2), shape("b", 3)];
const ids = (shapes: readonly ChartShape[]) => shapes.map(({ id, from }) => `${id}${from.price}`);

// A new member: nothing to undo.
beforeEach(() => forgetAll(false));

test("changes are undone from the newest and redone in their order, by instrument", () => {
  noteStep("2330", { before: null, after: added });
  noteStep("2330", { before: added, after: moved });
  noteStep("2317", { before: null, after: other });
  expect([changedLast("2330"), changedLast("2317")]).toEqual([false, true]);
  expect(undoStep("2330")).toEqual({ before: added, after: moved });
  expect(undoStep("2330")).toEqual({ before: null, after: added });
  expect(undoStep("2330")).toBeNull();
  expect(redoStep("2330")).toEqual({ before: null, after: added });
  expect(redoStep("2330")).toEqual({ before: added, after: moved });
  expect(redoStep("2330")).toBeNull();
});

test("after a new change nothing is redone", () => {
  noteStep("2330", { before: null, after: added });
  undoStep("2330");
  noteStep("2330", { before: null, after: other });
  expect(redoStep("2330")).toBeNull();
  expect(undoStep("2330")).toEqual({ before: null, after: other });
});

test("the next member undoes nothing of the one before", () => {
  noteStep("2330", { before: null, after: added });
  forgetAll(false);
  expect(undoStep("2330")).toBeNull();
});

test("a step changes its own shape only, whatever another device did to the others", () => {
  expect(ids(withShape([added, other], "a", moved))).toEqual(["a2", "b3"]);
  expect(ids(withShape([other], "a", added))).toEqual(["b3", "a1"]);
  expect(ids(withShape([other, moved], "a", null))).toEqual(["b3"]);
});
