/** Tests the ranges of the fields of calls, at both ends: the last value that is accepted, and the first that is not. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { View } from "#contract/kernel/push.ts";
import { MAX_WATCHED } from "#contract/quote.ts";
import { Trigger } from "#contract/order.ts";
import { GroupName } from "#contract/watchlist.ts";

/** The messages of the issues that a body's field has. */
function issuesOf(name: EndpointName, field: string, value: unknown): string[] {
  const { error } = endpoints[name].body.safeParse({ [field]: value });
  return (error?.issues ?? []).filter(({ path }) => path[0] === field).map(({ message }) => message);
}

describe.each([
  ["lockTrading", "hours", 1, 720, "VAL_HOURS_RANGE"],
  ["payMargin", "amount", 1, 1_000_000_000, "VAL_MARGIN_POSITIVE"],
  ["addMargin", "amount", 1, 1_000_000_000, "VAL_MARGIN_POSITIVE"],
  ["setDayTradingWarning", "percent", 1, 90, "VAL_PERCENT_RANGE"],
  ["setRisk", "maxOrderCents", 1, 100_000_000_000_000, "VAL_AMOUNT_EMPTY"],
  ["setRisk", "dailyLossCents", 1, 100_000_000_000_000, "VAL_AMOUNT_EMPTY"],
  ["setRisk", "slideAboveCents", 1, 100_000_000_000_000, "VAL_AMOUNT_EMPTY"],
  ["setAlert", "level", 1, null, "VAL_ALERT_LEVEL"],
  ["placeOrder", "lots", 1, null, "VAL_LOTS_INTEGER"],
  ["placeOrder", "price", 1, null, "VAL_LIMIT_PRICE_POSITIVE"],
  ["placeOrder", "leverage", 1, 100, null],
  ["closeOrder", "lots", 1, null, "VAL_LOTS_INTEGER"],
  ["closePosition", "shares", 1, null, "VAL_LOTS_INTEGER"],
  ["readCandles", "limit", 1, null, null],
  ["factsSince", "after", 0, null, null],
] as const)("%s: %s", (name, field, least, most, refusal) => {
  it("takes the ends of its range, and nothing beyond or between whole numbers", () => {
    expect(issuesOf(name, field, least)).toEqual([]);
    if (most !== null) expect(issuesOf(name, field, most)).toEqual([]);
    const beyond = [least - 1, least + 0.5, ...(most === null ? [] : [most + 1])].map((value) => issuesOf(name, field, value));
    for (const issues of beyond) expect(issues).toHaveLength(1);
    if (refusal !== null) expect(beyond.flat()).toEqual(beyond.map(() => refusal));
  });
});

it("a trigger has a price above zero", () => {
  const prices = [1, 0, -1, 0.5].map((price) => Trigger.safeParse({ kind: "stop", price }).success);
  expect(prices).toEqual([true, false, false, false]);
});

describe("an agreement", () => {
  it.each(["applyMargin", "signDayTrading"] as const)("of %s has to be given", (name) => {
    expect(issuesOf(name, "agreed", true)).toEqual([]);
    for (const value of [false, null, 1, "true"]) expect(issuesOf(name, "agreed", value)).toEqual(["VAL_PRIVACY_REQUIRED"]);
  });
});

describe("texts", () => {
  it("of the sign-in form are not empty and not endless", () => {
    for (const [field, most] of [
      ["password", 128],
      ["guaranteeCode", 32],
    ] as const) {
      expect(issuesOf("signIn", field, "x")).toEqual([]);
      expect(issuesOf("signIn", field, "x".repeat(most))).toEqual([]);
      expect(issuesOf("signIn", field, "")).toHaveLength(1);
      expect(issuesOf("signIn", field, "x".repeat(most + 1))).toHaveLength(1);
    }
  });

  it("of a group's name are trimmed, printable, and at most 20 characters", () => {
    expect(GroupName.parse("  半導體 ")).toBe("半導體");
    expect(GroupName.parse("x".repeat(20))).toHaveLength(20);
    for (const wrong of ["", "   ", "x".repeat(21), "a\u0000b", "a\nb", "\uD800", 7])
      expect(GroupName.safeParse(wrong).error?.issues[0]?.message).toBe("VAL_GROUP_NAME");
  });
});

describe("a view", () => {
  const view = { rows: [], ranks: [], channels: {}, beatMs: 100, all: false };
  const takes = (change: object): boolean => View.safeParse({ ...view, ...change }).success;

  it("names rows from 0 on, and a limited number of them", () => {
    expect([view, { rows: [0] }, { channels: { depth: 0 } }, { channels: { tape: 0, contribution: 0 } }].map(takes)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(
      [
        { rows: [-1] },
        { channels: { depth: -1 } },
        { channels: { tape: -1 } },
        { channels: { contribution: -1 } },
        { channels: { depth: 0.5 } },
      ].map(takes),
    ).toEqual([false, false, false, false, false]);
    expect([MAX_WATCHED, MAX_WATCHED + 1].map((length) => takes({ rows: Array.from({ length }, (_, row) => row) }))).toEqual([true, false]);
  });

  it("asks for a limited number of rankings, of a limited size", () => {
    const rank = { by: "turnover", board: null, category: null, size: 1 };
    expect([8, 9].map((length) => takes({ ranks: Array.from({ length }, () => rank) }))).toEqual([true, false]);
    expect([0, 1, MAX_WATCHED, MAX_WATCHED + 1].map((size) => takes({ ranks: [{ ...rank, size }] }))).toEqual([false, true, true, false]);
    expect([16, 17].map((length) => takes({ ranks: [{ ...rank, category: "x".repeat(length) }] }))).toEqual([true, false]);
  });

  it("is sent at one of three intervals", () => {
    expect([100, 250, 1000, 500, 0].map((beatMs) => takes({ beatMs }))).toEqual([true, true, true, false, false]);
  });
});
