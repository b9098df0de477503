/** The desk of settlement: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function settlementDesk(): Pick<Handlers, "listSettlements"> {
  return {
    listSettlements: async () => notYet(),
  };
}
