/** Records, in the transaction that holds a row's call, that it is held: a command that comes later finds the record and does nothing. */
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { CallKind } from "#server/venue/venue.ts";

/** One call of one instrument. */
export interface CallOf {
  code: string;
  kind: CallKind;
  /** When it was due. */
  at: number;
}

/** The clocks of two servers, or of a server and its feed, differ by less; calls of one kind of an instrument are further apart. */
const CLOCKS_DIFFER_MS = SECOND_MS;

/** How often a call is tried that fails although the database answers. After that it is given up: it must not be held when all has changed. */
export const MAX_TRIES = 3;

const NEWEST = "SELECT code, kind, at FROM held_call";
/** A row that lies further ahead comes from a clock that was wrong. */
const HOLD = `INSERT INTO held_call (code, kind, at) VALUES ($1, $2, $3) ON CONFLICT (code, kind) DO UPDATE SET at = excluded.at
  WHERE held_call.at NOT BETWEEN excluded.at - ${CLOCKS_DIFFER_MS} AND excluded.at + ${DAY_MS} RETURNING code`;

/** The newest call held of each instrument and kind. Only spares work: the transaction asks again. */
export class HeldCalls {
  readonly #newest = new Map<string, number>();

  add({ code, kind, at }: CallOf): void {
    this.#newest.set(`${code} ${kind}`, at);
  }

  /** Tells whether one was held that was due later, so that this one never is. */
  isPast({ code, kind, at }: CallOf): boolean {
    return (this.#newest.get(`${code} ${kind}`) ?? -Infinity) > at + CLOCKS_DIFFER_MS;
  }

  has({ code, kind, at }: CallOf): boolean {
    const newest = this.#newest.get(`${code} ${kind}`) ?? -Infinity;
    return newest >= at - CLOCKS_DIFFER_MS && newest <= at + DAY_MS;
  }
}

/** What is recorded so far. */
export async function readHeldCalls(on: Reader): Promise<HeldCalls> {
  const held = new HeldCalls();
  for (const call of await query<CallOf>(on, NEWEST)) held.add(call);
  return held;
}

/** Takes a call for this transaction. @returns false where it was held before */
const take = async (tx: Tx, { code, kind, at }: CallOf): Promise<boolean> => (await query(tx, HOLD, [code, kind, at])).length > 0;

/** The part of a command that holds a call, unless it or a later one was held before; its result is whether it was held now. */
export function heldOnce(call: CallOf, hold: (batch: Batch) => void): Required<Pick<QueuedCommand<boolean>, "prepare" | "decide">> {
  let isFirst = false;
  return {
    prepare: async (tx) => {
      isFirst = await take(tx, call);
    },
    decide: (batch) => {
      if (isFirst) hold(batch);
      return isFirst;
    },
  };
}
