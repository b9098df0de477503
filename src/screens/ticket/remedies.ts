/** The pages where the cause of a refusal can be resolved. */
import type { RefusalCode } from "#contract/kernel/refusal.ts";

export const REMEDIES: Partial<Record<RefusalCode, "/home/margin" | "/home/dayTrading">> = {
  TRD_MARGIN_DISABLED: "/home/margin",
  TRD_DAY_TRADING_DISABLED: "/home/dayTrading",
};
