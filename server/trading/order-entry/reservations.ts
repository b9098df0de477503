/** Sends the orders reserved for a session to the market when it begins, in the order they came, before anything else is decided in it. */
import { query } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { every } from "#server/kernel/every.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { enter, queriesOfEntry } from "./enter.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import type { OrderKey, QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { reservedUpTo } from "#server/trading/sequencer/time-in-force.ts";

/** How often orders are tried again whose instruments had no price yet. */
const RETRY_MS = SECOND_MS;

const DUE = `SELECT order_no AS "orderNo", member_id AS "memberId" FROM "order" WHERE reserved_for <= $1 ORDER BY turn`;

class Reservations {
  readonly #deps: ClockDeps;
  /** When the session opens that the venue has begun, and the one whose reserved orders were sent. */
  #begun: number;
  #sent = -1;
  /** Some wait for a price, or failed. */
  isWaiting = false;

  constructor(deps: ClockDeps) {
    this.#deps = deps;
    this.#begun = this.#session();
  }

  #session(): number {
    const { venue, now } = this.#deps;
    return venue.state(now()).opensAt;
  }

  get isDue(): boolean {
    return this.#sent !== this.#begun;
  }

  /** Sees which session the venue has begun. @returns whether it is another one */
  look(): boolean {
    this.#begun = this.#session();
    return this.isDue;
  }

  /** Sends all that are due. One that fails is reported and tried again, and does not keep the others, or the session, from beginning. */
  async send(serve: (command: QueuedCommand<void>) => Promise<void>): Promise<void> {
    const { db, now, report } = this.#deps;
    const session = this.#begun;
    this.isWaiting = false;
    const enterAll = (keys: readonly OrderKey[]): Promise<void> =>
      serve({
        ...commandOnOrders(keys, (batch, order) => {
          if (!enter(batch, order)) this.isWaiting = true;
        }),
        counterparties: (batch) =>
          keys.flatMap(({ memberId, orderNo }) => {
            const order = batch?.order(memberId, orderNo);
            return batch && order ? queriesOfEntry(batch, order) : [];
          }),
      });
    for (const part of inParts(await query<OrderKey>(db.kysely, DUE, [reservedUpTo(now())]))) {
      await enterAll(part).catch(async (error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        for (const one of part)
          await enterAll([one]).catch((alone: unknown) => {
            this.isWaiting = true;
            report?.(alone);
          });
      });
    }
    this.#sent = session;
  }
}

/** Starts sending reserved orders. @returns a function that stops it */
export async function startReservations(deps: ClockDeps): Promise<() => Promise<void>> {
  const { venue, sequencer, report, repeat = every } = deps;
  const reservations = new Reservations(deps);
  sequencer.beforeEachDay({ due: () => reservations.isDue, work: (serve) => reservations.send(serve) });
  /** The work is done before the next command, whatever it is. */
  const ask = (): Promise<void> => sequencer.submit({ memberIds: [], decide: () => undefined }).catch((error: unknown) => report?.(error));
  const stopPhases = venue.onPhase(() => {
    if (reservations.look()) void ask();
  });
  await ask();
  const retry = async (): Promise<void> => {
    if (reservations.isWaiting) await reservations.send((command) => sequencer.submit(command));
  };
  const stopRetry = repeat(RETRY_MS, retry, report);
  return async () => {
    stopPhases();
    await stopRetry();
  };
}
