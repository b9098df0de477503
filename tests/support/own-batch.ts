/** Follows the batches of one member: the broker's clocks have batches of their own at any moment. */
import type { TestBroker } from "#tests/support/trading.ts";

/** Calls the listener after each batch that decided something for a member. @returns how to unsubscribe */
export const onOwnBatch = ({ sequencer }: Pick<TestBroker, "sequencer">, memberId: number, listener: () => void): (() => void) =>
  sequencer.onBatch(({ members }) => {
    if (members.some(({ id }) => id === memberId)) listener();
  });
