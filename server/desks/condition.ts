/** The desk of condition: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function conditionDesk(): Pick<Handlers, "setConditions" | "listConditions"> {
  return {
    setConditions: async () => notYet(),
    listConditions: async () => notYet(),
  };
}
