/** The back button of the native shell: it goes back in history; where there is none, a second press within a second quits. */
import { setup } from "xstate";

/** The second press counts within this time (specification sections 2 and 9). */
export const SECOND_PRESS_MS = 1_000;

/** The actor provides the effects. `canGoBack`: the history has an earlier entry. An open overlay has an entry of its own, so going back closes it. */
export interface BackButtonEvent {
  type: "PRESS";
  canGoBack: boolean;
}

export const backButtonMachine = setup({
  types: { events: {} as BackButtonEvent },
  actions: { goBack: () => undefined, askAgain: () => undefined, quit: () => undefined },
  guards: { canGoBack: ({ event }) => event.canGoBack },
  delays: { secondPress: SECOND_PRESS_MS },
}).createMachine({
  id: "backButton",
  initial: "idle",
  states: {
    idle: {
      on: {
        PRESS: [
          { guard: "canGoBack", actions: "goBack" },
          { target: "pressedOnce", actions: "askAgain" },
        ],
      },
    },
    pressedOnce: {
      after: { secondPress: "idle" },
      // Quitting is the system's: where it refuses, the button works on.
      on: {
        PRESS: [
          { guard: "canGoBack", target: "idle", actions: "goBack" },
          { target: "idle", actions: "quit" },
        ],
      },
    },
  },
});
