/** A broker with two members, and an instrument with few lots at a price of a hundred. */
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export async function openThinBook(): Promise<{ broker: TestBroker; first: number; second: number }> {
  const broker = await openTestBroker();
  const [first, second] = [await broker.newMember(), await broker.newMember()];
  broker.venue.set(0, {
    last: 100,
    reference: 100,
    bids: [[99.5, 10]],
    asks: [
      [100, 3],
      [100.5, 10],
    ],
    volume: 1_000,
  });
  return { broker, first, second };
}
