/** Tests that mentors' fills are read once for all who ask, and again after each change of them. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { MentorBook } from "#server/accounts/mentor-book.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { CAPITAL_CENTS, mentor, priced } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => priced(broker, 100));
afterAll(() => broker.shut());

it("a mentor's fills are read again after the mentor traded, and only then", async () => {
  const one = await mentor(broker);
  const other = await mentor(broker);
  const row = { member_id: one.member, since: 0, capital_cents: CAPITAL_CENTS };
  const book = new MentorBook(broker);
  const first = await book.of(row);
  expect(first.lines).toEqual([]);
  await broker.place(other.member, { lots: 1 });
  expect(await book.of(row)).toBe(first);
  const { orderNo } = await broker.place(one.member, { lots: 3 });
  const second = await book.of(row);
  expect(second.record).toMatchObject({ lines: 1, held: [{ shares: 3_000 }] });
  expect(await book.of(row)).toBe(second);
  await broker.close(one.member, orderNo, { lots: 3 });
  expect((await book.of(row)).record).toMatchObject({ lines: 2, closed: 1, held: [] });
});

it("what was read while the mentor traded is not kept", async () => {
  const one = await mentor(broker);
  const row = { member_id: one.member, since: 0, capital_cents: CAPITAL_CENTS };
  const book = new MentorBook(broker);
  const [, before] = await Promise.all([broker.place(one.member, { lots: 1 }), book.of(row)]);
  expect((await book.of(row)).lines).toHaveLength(1);
  expect(await book.of(row)).not.toBe(before);
});
