/** How often each command and each happening is drawn, relative to the others. */
import { MONEY_COMMANDS } from "./money-steps.ts";
import { PRIMARY_COMMANDS } from "./primary-steps.ts";
import { SERVICE_COMMANDS } from "./service-steps.ts";

export const COMMANDS = {
  placeOrder: 30,
  closeOrder: 22,
  cancelOrder: 8,
  amendOrder: 10,
  cancelOrders: 1,
  closeOrders: 1,
  closePosition: 5,
  reverseOrder: 3,
  reversePosition: 2,
  setConditions: 6,
  setPositionConditions: 3,
  addMargin: 2,
  payMargin: 1,
  setRisk: 1,
  setAlert: 2,
  quoteConversion: 4,
  acceptConversion: 4,
  transferFunds: 3,
  offerLoan: 3,
  drawLoan: 3,
  repayLoan: 3,
  ...MONEY_COMMANDS,
  lendShares: 5,
  offerShares: 3,
  withdrawLendingOffer: 3,
  recallShares: 3,
  again: 4,
} as const;
export type Command = keyof typeof COMMANDS;
/** Those of a simulation with offerings. */
export const ALL_COMMANDS = { ...COMMANDS, ...PRIMARY_COMMANDS } as const;

export const HAPPENINGS = { ask: 58, market: 28, call: 5, wait: 6, phase: 1, day: 1, restart: 0.3, crash: 0.5 } as const;

/** Those of a simulation with followers of mentors and with strategies. */
export const WITH_SERVICES = { ...COMMANDS, ...SERVICE_COMMANDS } as const;

/** Offerings move from day to day, so more time passes. */
export const PRIMARY_HAPPENINGS = { ...HAPPENINGS, wait: 10, day: 4, issue: 12 } as const;

/** Rules are decided from day to day, and the clocks of copies and runs tick often. */
export const SERVICE_HAPPENINGS = { ...HAPPENINGS, day: 4, tick: 30, mentor: 0.2, slump: 12 } as const;
