/** The desk of day-trading: not manned yet. */
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

/** The desk's handlers. */
export function dayTradingDesk(): Pick<Handlers, "readDayTrading" | "signDayTrading" | "setDayTradingWarning"> {
  return {
    readDayTrading: async () => notYet(),
    signDayTrading: async () => notYet(),
    setDayTradingWarning: async () => notYet(),
  };
}
