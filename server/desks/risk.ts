/** The desk of risk: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function riskDesk(): Pick<Handlers, "readRisk" | "setRisk" | "lockTrading"> {
  return {
    readRisk: async () => notYet(),
    setRisk: async () => notYet(),
    lockTrading: async () => notYet(),
  };
}
