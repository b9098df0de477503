/** Commands that decide on what they have read under the member's lock. */
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Both steps of a command that places no order: what `read` returns, `decide` is given. */
export function deciding<Reads, Result>(read: (tx: Tx, batch: Batch) => Promise<Reads>, decide: (batch: Batch, reads: Reads) => Result) {
  let reads: { of: Reads } | null = null;
  return {
    placements: 0,
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      reads = { of: await read(tx, batch) };
    },
    decide: (batch: Batch): Result => {
      if (!reads) throw new Error("the command was not prepared");
      return decide(batch, reads.of);
    },
  };
}
