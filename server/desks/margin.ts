/** The desk of margin: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function marginDesk(): Pick<Handlers, "readMargin" | "applyMargin" | "withdrawMargin" | "payMargin" | "addMargin"> {
  return {
    readMargin: async () => notYet(),
    applyMargin: async () => notYet(),
    withdrawMargin: async () => notYet(),
    payMargin: async () => notYet(),
    addMargin: async () => notYet(),
  };
}
