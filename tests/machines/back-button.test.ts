/** Tests the back button machine: back where there is history, else quitting at the second press within a second. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { SECOND_PRESS_MS, backButtonMachine } from "#machines/back-button.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = {
  "press with history": { type: "PRESS", canGoBack: true },
  "press without": { type: "PRESS", canGoBack: false },
  "1 s": { type: "xstate.after.secondPress.backButton.pressedOnce" },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A running button and the effects it had. */
function pressed() {
  const effects: string[] = [];
  const actions = Object.fromEntries(["goBack", "askAgain", "quit"].map((name) => [name, () => void effects.push(name)]));
  const actor = createActor(backButtonMachine.provide({ actions })).start();
  return { effects, press: (canGoBack: boolean) => actor.send({ type: "PRESS", canGoBack }) };
}

describe("the back button", () => {
  test("accepts a press in every state", () => {
    const table = transitionTable(backButtonMachine, events, undefined);
    expect(table).toEqual({
      idle: { "press with history": "idle", "press without": "pressedOnce" },
      pressedOnce: { "press with history": "idle", "press without": "idle", "1 s": "idle" },
    });
    expect(declaredStates(backButtonMachine).toSorted()).toEqual(Object.keys(table).toSorted());
  });

  test("goes back at every press while there is history", () => {
    const { effects, press } = pressed();
    press(true);
    press(true);
    expect(effects).toEqual(["goBack", "goBack"]);
  });

  test("quits at the second press within a second", () => {
    const { effects, press } = pressed();
    press(false);
    vi.advanceTimersByTime(SECOND_PRESS_MS - 1);
    press(false);
    expect(effects).toEqual(["askAgain", "quit"]);
  });

  test("asks again after a second", () => {
    const { effects, press } = pressed();
    press(false);
    vi.advanceTimersByTime(SECOND_PRESS_MS);
    press(false);
    expect(effects).toEqual(["askAgain", "askAgain"]);
  });

  test("goes back when history came in between, and then asks again", () => {
    const { effects, press } = pressed();
    press(false);
    press(true);
    press(false);
    expect(effects).toEqual(["askAgain", "goBack", "askAgain"]);
  });

  test("works on where the system refuses to quit", () => {
    const { effects, press } = pressed();
    for (let nth = 0; nth < 4; nth += 1) press(false);
    expect(effects).toEqual(["askAgain", "quit", "askAgain", "quit"]);
  });
});
