/** The desk of curve: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function curveDesk(): Pick<Handlers, "readCurve"> {
  return {
    readCurve: async () => notYet(),
  };
}
