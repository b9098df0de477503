/** The lifecycle of a fee voucher: reserved for the next order, then used by its first fee or returned; or expired unused; decided by the server. */
import { setup } from "xstate";
import type { VoucherFactType } from "#contract/voucher.ts";

type VoucherEvent = { type: VoucherFactType };

export const voucherMachine = setup({ types: { events: {} as VoucherEvent } }).createMachine({
  id: "voucher",
  initial: "available",
  states: {
    available: {
      on: {
        "voucher.reserved": "reserved",
        "voucher.expired": "expired",
      },
    },
    reserved: {
      on: {
        "voucher.returned": "available",
        "voucher.used": "used",
      },
    },
    used: { type: "final" },
    expired: { type: "final" },
  },
});
