/** Records, in the transaction that holds a row's call, that it is held: a command that comes later finds the record and does nothing. */
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { CallOf } from "#server/trading/sequencer/read-set.ts";

/** The clocks of two servers, or of a server and its feed, differ by less; calls of one kind of an instrument are further apart. */
const CLOCKS_DIFFER_MS = SECOND_MS;

/** How often a call is tried that fails although the database answers. After that it is given up: it must not be held when all has changed. */
export const MAX_TRIES = 3;

const NEWEST = "SELECT code, kind, at FROM held_call";
/** A row that lies further ahead comes from a clock that was wrong. */
const HOLD = `INSERT INTO held_call (code, kind, at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
  ON CONFLICT (code, kind) DO UPDATE SET at = excluded.at
  WHERE held_call.at NOT BETWEEN excluded.at - ${CLOCKS_DIFFER_MS} AND excluded.at + ${DAY_MS} RETURNING code, kind`;

type OfKind = Pick<CallOf, "code" | "kind">;

const keyOf = ({ code, kind }: OfKind): string => `${code} ${kind}`;

/** The newest call held of each instrument and kind. Only spares work: the transaction asks again. */
export class HeldCalls {
  readonly #newest = new Map<string, number>();

  add(call: CallOf): void {
    this.#newest.set(keyOf(call), call.at);
  }

  /** Tells whether one was held that was due later, so that this one never is. */
  isPast(call: CallOf): boolean {
    return (this.#newest.get(keyOf(call)) ?? -Infinity) > call.at + CLOCKS_DIFFER_MS;
  }

  has(call: CallOf): boolean {
    const newest = this.#newest.get(keyOf(call)) ?? -Infinity;
    return newest >= call.at - CLOCKS_DIFFER_MS && newest <= call.at + DAY_MS;
  }
}

/** What is recorded so far. */
export async function readHeldCalls(on: Reader): Promise<HeldCalls> {
  const held = new HeldCalls();
  for (const call of await query<CallOf>(on, NEWEST)) held.add(call);
  return held;
}

/** Takes a batch's calls with one statement; a second call of a row and kind waits for the first. @returns those not held before */
async function takeAll(tx: Tx, calls: readonly CallOf[]): Promise<Set<CallOf>> {
  const taken = new Set<CallOf>();
  let left = calls;
  while (left.length > 0) {
    const first = new Map(left.toReversed().map((call) => [keyOf(call), call]));
    const now = [...first.values()];
    const rows = await query<OfKind>(tx, HOLD, [now.map(({ code }) => code), now.map(({ kind }) => kind), now.map(({ at }) => at)]);
    for (const row of rows) {
      const call = first.get(keyOf(row));
      if (call) taken.add(call);
    }
    left = left.filter((call) => first.get(keyOf(call)) !== call);
  }
  return taken;
}

class HeldCallsInBatch implements Participant {
  /** A call is never refused: what it changes need not be counted. */
  readonly effects = 0;
  readonly #taken: Set<CallOf>;

  constructor(taken: Set<CallOf>) {
    this.#taken = taken;
  }

  /** Tells, once, that this batch is the one that holds a call. */
  take(call: CallOf): boolean {
    return this.#taken.delete(call);
  }
}

export const heldCalls: ParticipantKind<HeldCallsInBatch> = {
  open: async (tx, _batch, { calls }) => new HeldCallsInBatch(await takeAll(tx, calls)),
};

/** The part of a command that holds a call, unless it or a later one was held before; its result is whether it was held now. */
export function heldOnce(call: CallOf, hold: (batch: Batch) => void): Required<Pick<QueuedCommand<boolean>, "calls" | "decide">> {
  return {
    calls: [call],
    decide: (batch) => {
      const isFirst = batch.part(heldCalls).take(call);
      if (isFirst) hold(batch);
      return isFirst;
    },
  };
}
