/** Tests that the refusals of orders, accounts, money and forms occur in a test, and those of a ticket with their field. */
import { describe, expect, it } from "vitest";
import { MAX_UNITS, PlaceOrderBody } from "#contract/order.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { TRIGGERS } from "#contract/kernel/refusal-trigger.ts";
import { orderEndpoints } from "#contract/order-endpoints.ts";
import { code as sources } from "#tests/support/tree.ts";

const GROUPS = /^(?:GEN|ACC|PWD|PASSKEY|CARD|FUND|CUR|WAL|CHK|VAL)_/;
const grouped = (Object.keys(refusals) as RefusalCode[]).filter((code) => GROUPS.test(code) && typeof TRIGGERS[code] === "string");
const codes = [...new Set(Object.values(orderEndpoints).flatMap(({ refusals }): readonly string[] => refusals))].toSorted();
const testTexts = sources
  .filter(({ path }) => path.startsWith("tests/") && path.endsWith(".test.ts"))
  .map(({ text }) => text)
  .join("\n");

describe("the refusals of orders, accounts, money and forms", () => {
  it.each([...new Set([...codes, ...grouped])])("%s is reached", (code) => {
    expect(new RegExp(`"${code}[" ]`).test(testTexts), `no test names ${code}`).toBe(true);
  });
});

describe("what keeps a position from being closed", () => {
  const locks = ["TRD_NOT_LISTED", "TRD_BLOCK_LOCKED", "TRD_SHARES_LENT", "TRD_POSITION_LOCKED", "TRD_SELL_LOCK_TPLUS"];
  it.each(["closeOrder", "closePosition", "reverseOrder", "reversePosition"] as const)("is listed by %s", (name) => {
    expect(orderEndpoints[name].refusals).toEqual(expect.arrayContaining(locks));
  });
});

describe("an invalid ticket", () => {
  const right = {
    requestId: "8f14e45f-ceea-467f-9a3b-0123456789ab",
    code: "2330",
    direction: "rise",
    pricing: "limit",
    price: 1_000_000,
    lots: 1,
  };

  it("is a valid ticket with correct values", () => expect(PlaceOrderBody.safeParse(right).success).toBe(true));

  it.each([
    [{ code: "" }, "VAL_STOCK_CODE_REQUIRED", "code"],
    [{ lots: 1.5 }, "VAL_LOTS_INTEGER", "lots"],
    [{ lots: 0 }, "VAL_LOTS_INTEGER", "lots"],
    [{ lots: MAX_UNITS + 1 }, "TRD_LOTS_MAX", "lots"],
    [{ price: 0 }, "VAL_LIMIT_PRICE_POSITIVE", "price"],
    [{ price: null }, "VAL_LIMIT_PRICE_POSITIVE", "price"],
    [{ pricing: "market" }, "VAL_LIMIT_PRICE_POSITIVE", "price"],
    [{ leverage: 2 }, "TRD_LEVERAGE_NOT_ALLOWED", "leverage"],
    [{ trigger: { kind: "stop", price: 0 } }, "VAL_TRIGGER_POSITIVE", "trigger"],
    [{ exits: [{ kind: "trailing", price: -1 }] }, "VAL_TRIGGER_POSITIVE", "exits"],
  ])("%j is refused with %s at %s", (wrong, code, field) => {
    const issue = PlaceOrderBody.safeParse({ ...right, ...wrong }).error?.issues[0];
    expect([issue?.message, issue?.path[0]]).toEqual([code, field]);
  });
});
