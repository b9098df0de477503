// @vitest-environment happy-dom
/** What waits for the browser to step back from a closed overlay: clicks, acts, and dialogs that are not shown yet. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Sheet } from "#src/ui/sheet.tsx";
import { onceSteppedBack, stepBack } from "#src/ui/step-back.ts";
import { doing, show } from "./render.tsx";

beforeEach(() => {
  vi.spyOn(window.history, "back").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const hasSteppedBack = () => window.dispatchEvent(new PopStateEvent("popstate", { state: null }));

it.each([
  ["goes through where what waited opens nothing", null, 1],
  ["is dropped where what waited opens something over it", "opened", 0],
] as const)("a click that waited %s", (_title, result, times) => {
  const pressed = vi.fn();
  const button = document.createElement("button");
  document.body.append(button);
  button.addEventListener("click", pressed);
  stepBack();
  onceSteppedBack(() => result);
  button.click();
  expect(pressed).not.toHaveBeenCalled();
  hasSteppedBack();
  expect(pressed).toHaveBeenCalledTimes(times);
});

it("an act that throws loses neither those after it nor its error", () => {
  const acted = vi.fn();
  const add = vi.spyOn(window, "addEventListener");
  stepBack();
  const finish = add.mock.calls.find(([type]) => type === "popstate")?.[1];
  onceSteppedBack(() => {
    throw new Error("the first");
  });
  onceSteppedBack(acted);
  expect(finish).toThrow("the first");
  expect(acted).toHaveBeenCalledTimes(1);
});

it("Esc cancels a dialog that waits to be shown", async () => {
  const closed = vi.fn();
  stepBack();
  const shown = await show(
    <Sheet open={true} locked={false} onClose={closed} title="Ticket">
      <p>Inside</p>
    </Sheet>,
  );
  const escape = () => doing(() => window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true })));
  await escape();
  expect(closed).toHaveBeenCalledTimes(1);
  // Once it is shown, the browser says so.
  await doing(() => hasSteppedBack());
  closed.mockClear();
  await escape();
  expect(closed).not.toHaveBeenCalled();
  await shown.gone();
});
