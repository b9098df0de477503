/** Branded identifiers, so that one kind of id cannot be passed where another is expected. */
import * as z from "zod/mini";

/** A member's login id and the value of the `account` header. */
export const Account = z.string().check(z.minLength(1), z.maxLength(40)).brand<"Account">();
export type Account = z.infer<typeof Account>;

/** The order number members see: `K` and twelve digits. */
export const OrderNo = z
  .string("TRD_ORDER_NOT_FOUND")
  .check(z.regex(/^K\d{12}$/, "TRD_ORDER_NOT_FOUND"))
  .brand<"OrderNo">();
export type OrderNo = z.infer<typeof OrderNo>;

/** The client's idempotency key for one command: a UUID created before sending. The same id never acts twice. */
export const RequestId = z.uuid().brand<"RequestId">();
export type RequestId = z.infer<typeof RequestId>;

/** The code of an instrument as the market writes it: `2330`, `00679B`, `IX0001`, `BTC`, `USDTWD`. */
export const Code = z
  .string("VAL_STOCK_CODE_REQUIRED")
  .check(z.regex(/^[0-9A-Z]{2,12}$/, "VAL_STOCK_CODE_REQUIRED"))
  .brand<"Code">();
export type Code = z.infer<typeof Code>;
