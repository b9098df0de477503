/** Tells members about messages that were written outside of batches: each becomes a fact, and thereby a toast or a push notification. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { toMessage } from "#server/records/message.ts";
import type { MessageRecord } from "#server/records/message.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export interface UntoldDeps {
  db: Database;
  sequencer: Pick<Sequencer, "submit">;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the message is tried again later. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = 500;
/** How long a message that could not be told waits. */
const RETRY_MS = MINUTE_MS;
/** Messages told at once: an announcement to everybody is told page by page. */
const PAGE = 100;

const UNTOLD = `SELECT id, member_id FROM message WHERE untold AND id > $1 ORDER BY id LIMIT ${PAGE}`;
const READ = "SELECT id, at, kind, read, notice FROM message WHERE id = $1 AND untold";
const TOLD = "UPDATE message SET untold = false WHERE id = $1";

interface Untold {
  id: number;
  member_id: number;
}

/** The command that tells about one message; nothing if it was taken back meanwhile. */
function telling({ id, member_id: memberId }: Untold): QueuedCommand<null> {
  let row: Pick<MessageRecord, "id" | "at" | "kind" | "read" | "notice"> | undefined;
  return {
    memberIds: [memberId],
    prepare: async (tx) => {
      [row] = await query<NonNullable<typeof row>>(tx, READ, [id]);
    },
    decide: (batch) => {
      if (!row) return null;
      batch.emit(memberId, { type: "message.arrived", message: toMessage(row, null) });
      batch.deferWrite(async (tx) => {
        await query(tx, TOLD, [id]);
      });
      return null;
    },
  };
}

/** Tells about every untold message. One that fails is reported and waits until the time in `waiting`, by number; the others are told. */
export async function tellUntold({ db, sequencer, now, report }: UntoldDeps, waiting: Map<number, number>): Promise<void> {
  for (let after = 0; ;) {
    const page = await query<Untold>(db.kysely, UNTOLD, [after]);
    const due = page.filter(({ id }) => (waiting.get(id) ?? 0) <= now());
    const told = due.map(async (untold) => {
      try {
        await sequencer.submit(telling(untold));
        waiting.delete(untold.id);
      } catch (error) {
        waiting.set(untold.id, now() + RETRY_MS);
        report?.(error);
      }
    });
    await Promise.all(told);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/** Looks for untold messages twice a second. @returns a function that stops it */
export function startTelling(deps: UntoldDeps): () => void {
  const waiting = new Map<number, number>();
  return every(LOOK_EVERY_MS, () => tellUntold(deps, waiting), deps.report);
}
