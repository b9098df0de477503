/** Tests the mock broker: it accepts and returns only what the contract allows. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, test } from "vitest";
import { call } from "#src/gateway/api.ts";
import { accepted, broken, broker, resetBroker, violations, mock, refused } from "./broker.ts";
import type { Answering } from "./broker.ts";

beforeAll(() => broker.listen({ onUnhandledRequest: "error" }));
afterAll(() => broker.close());
beforeEach(resetBroker);

test("a mock's answer and body have the endpoint's types", () => {
  type Watchlist = Answering<"readWatchlist">;
  expectTypeOf(accepted({ groups: [] })).toExtend<Watchlist>();
  expectTypeOf(refused("GEN_SYSTEM_BUSY")).toExtend<Watchlist>();
  expectTypeOf(broken.line()).toExtend<Watchlist>();
  expectTypeOf(accepted({ codes: [] })).not.toExtend<Watchlist>();
  expectTypeOf(accepted({ groups: [{ id: 1, name: "", codes: [] }] })).not.toExtend<Watchlist>();
  expectTypeOf({ groups: [] }).not.toExtend<Watchlist>();
  expectTypeOf<Parameters<Parameters<typeof mock<"readProfile">>[1]>[0]["code"]>().toExtend<string>();
  expectTypeOf<"GEN_NO_SUCH_CODE">().not.toExtend<Parameters<typeof refused>[0]>();
});

test("reports what the schema forbids beyond the types", async () => {
  mock("readWatchlist", () => accepted({ groups: [{ id: "not a UUID", name: "1", codes: [] }] }));
  await call("readWatchlist", {});
  expect(violations.splice(0).join()).toMatch(/^readWatchlist: data: .*id/s);
  mock("readProfile", () => refused("GEN_NOT_FOUND"));
  await call("readProfile", { code: "?" });
  expect(violations.splice(0).join()).toMatch(/^readProfile: body: .*code/s);
});
