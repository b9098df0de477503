// @vitest-environment happy-dom
/** The type-ahead buffer: keys are kept in order, hidden from shortcuts, and dropped when the member turns away. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTypeAhead, takeTypeAhead } from "#src/ui/type-ahead.ts";

const shortcut = vi.fn();

beforeEach(() => {
  shortcut.mockClear();
  window.addEventListener("keydown", shortcut);
});
afterEach(() => {
  window.removeEventListener("keydown", shortcut);
  takeTypeAhead();
});

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.body.dispatchEvent(event);
  return event;
}

test("keys are buffered in order and reach no shortcut", () => {
  startTypeAhead();
  for (const key of ["2", "3", "x", "Backspace", "1", "7"]) expect(press(key).defaultPrevented).toBe(true);
  expect(shortcut).not.toHaveBeenCalled();
  expect(takeTypeAhead()).toEqual({ text: "2317", entered: false });
});

test("Enter is buffered with the text before it, until another key follows", () => {
  startTypeAhead();
  press("2");
  press("Enter");
  expect(takeTypeAhead()).toEqual({ text: "2", entered: true });
  startTypeAhead();
  for (const key of ["2", "Enter", "3"]) press(key);
  expect(takeTypeAhead()).toEqual({ text: "23", entered: false });
});

test("browser shortcuts, repeats and keys that type nothing are not buffered", () => {
  startTypeAhead();
  expect(press("r", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(press("F5").defaultPrevented).toBe(false);
  press("Shift");
  press("2");
  press("2", { repeat: true });
  expect(takeTypeAhead().text).toBe("2");
});

test.each([
  ["Esc", () => press("Escape")],
  ["Tab", () => press("Tab")],
  ["a pointer", () => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }))],
])("%s ends it: the buffer is dropped, later keys reach shortcuts again", (_, turnAway) => {
  startTypeAhead();
  press("2");
  turnAway();
  shortcut.mockClear();
  expect(press("3").defaultPrevented).toBe(false);
  expect(shortcut).toHaveBeenCalledTimes(1);
  expect(takeTypeAhead()).toEqual({ text: "", entered: false });
});

test("once taken, nothing more is buffered", () => {
  startTypeAhead();
  press("2");
  expect(takeTypeAhead().text).toBe("2");
  expect(press("3").defaultPrevented).toBe(false);
  expect(takeTypeAhead().text).toBe("");
});
