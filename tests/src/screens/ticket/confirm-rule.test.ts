/** Tests the one rule of confirmation as a table: which order is slid, pressed, or sent at once. */
import { expect, test } from "vitest";
import { confirmationFor } from "#src/screens/ticket/confirm-rule.ts";
import type { ConfirmationKind, ConfirmedOrder } from "#src/screens/ticket/confirm-rule.ts";

const plain: ConfirmedOrder = {
  pricing: "limit",
  waits: false,
  intent: { act: "buy", funding: "cash", closes: null, nothing: null },
  valueCents: 100,
};
const opens = (intent: Partial<ConfirmedOrder["intent"]>): Partial<ConfirmedOrder> => ({ intent: { ...plain.intent, ...intent } });
const closes = (intent: Partial<ConfirmedOrder["intent"]>) => opens({ act: "sell", closes: {}, ...intent });

/** By amount: confirmed by a slide above the first, sent at once up to the second; null for none. */
type Amounts = readonly [slideAbove: number | null, sendUpTo: number | null];

const TABLE: readonly [what: string, order: Partial<ConfirmedOrder>, amounts: Amounts, expected: ConfirmationKind][] = [
  ["a limit order", {}, [null, null], "press"],
  ["a limit order up to the amount of its slide", {}, [100, null], "press"],
  ["a limit order above the amount of its slide", {}, [99, null], "slide"],
  ["an order at market", { pricing: "market" }, [null, null], "slide"],
  ["a short", opens({ act: "short" }), [null, null], "slide"],
  ["a margin loan", opens({ funding: "margin" }), [null, null], "slide"],
  ["leverage", opens({ funding: "leverage" }), [null, null], "slide"],
  ["a sale", closes({}), [null, null], "press"],
  ["a sale of what was financed, which borrows nothing", closes({ funding: "margin" }), [null, null], "press"],
  ["a cover", closes({ act: "cover" }), [null, null], "press"],
  ["a sale at market", { ...closes({}), pricing: "market" }, [null, null], "slide"],
  ["a sale above the amount of its slide", closes({}), [99, 1_000], "slide"],
  ["a limit order up to the amount sent at once", {}, [null, 100], "none"],
  ["a limit order above the amount sent at once", {}, [null, 99], "press"],
  ["a limit order that both amounts allow", {}, [100, 100], "none"],
  ["a limit order that one amount sends and the other slides", {}, [99, 100], "slide"],
  ["a sale of what was financed, up to the amount", closes({ funding: "margin" }), [null, 100], "none"],
  ["an order without a known value", { valueCents: null }, [null, 100], "press"],
  ["an order that waits for a trigger", { waits: true }, [null, 100], "press"],
  ["an order for nothing held", opens({ act: "sell", nothing: "noneToSell" }), [null, 100], "press"],
  ["an order at market, up to the amount", { pricing: "market" }, [null, 100], "slide"],
  ["a short, up to the amount", opens({ act: "short" }), [null, 100], "slide"],
  ["a margin loan, up to the amount", opens({ funding: "margin" }), [null, 100], "slide"],
];

test.each(TABLE)("%s", (_what, order, [slideAboveCents, sendUpToCents], expected) => {
  expect(confirmationFor({ ...plain, ...order }, { slideAboveCents, sendUpToCents })).toBe(expected);
});
