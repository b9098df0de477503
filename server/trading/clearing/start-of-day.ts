/** Applies corporate actions to positions held since before the day, before anything trades on it. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { marketName } from "#server/venue/market-name.ts";
import { KIND_OF, adjustOrder } from "./corporate-action.ts";
import { openIncreases } from "./entitlement.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer, StartOfDay } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface TradingDayDeps {
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; nothing is traded until it succeeds. */
  report?: ((error: unknown) => void) | undefined;
}

export interface CorporateActionDeps extends TradingDayDeps {
  db: Database;
}

type Serve = Parameters<StartOfDay["work"]>[0];

interface Held extends OrderKey {
  code: string;
  boughtAt: number;
  /** Ex-events already applied to it, as `day kind`. */
  done: string[];
}

const HELD = `
SELECT order_no AS "orderNo", member_id AS "memberId", code, bought_at AS "boughtAt",
  coalesce((SELECT json_agg(day || ' ' || adjustment.kind) FROM adjustment WHERE adjustment.order_no = "order".order_no), '[]') AS done
FROM "order"
WHERE status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots AND bought_at < $1
ORDER BY order_no`;

/** The ex-events of an instrument that a position still lacks, oldest first. */
function dueOf({ boughtAt, done }: Held, actions: readonly CorporateAction[], day: number): CorporateAction[] {
  return actions.filter(({ at, kind }) => boughtAt < at && taipeiDay(at) <= day && !done.includes(`${taipeiDay(at)} ${KIND_OF[kind]}`));
}

/** Adjusts every position for all ex-events up to a trading day, including those missed during downtime. */
async function adjustAll({ db, venue, now, report }: CorporateActionDeps, day: number, serve: Serve): Promise<void> {
  const held = await query<Held>(db.kysely, HELD, [taipeiMidnight(day)]);
  const codes = [...new Set(held.map(({ code }) => code))];
  const actions = new Map(await Promise.all(codes.map(async (code) => [code, await venue.actions(code)] as const)));
  const due = held.flatMap((one) => {
    const own = dueOf(one, actions.get(one.code) ?? [], day);
    return own.length > 0 ? [{ ...one, own }] : [];
  });
  const increases = due.length > 0 ? await openIncreases(db.kysely, marketName(venue.state(now()))) : [];
  const increaseOf = (code: string, { at, kind }: CorporateAction) =>
    (kind === "rights" && increases.find((one) => one.code === code && taipeiDay(one.exAt) === taipeiDay(at))) || null;
  const adjust = (some: typeof due): Promise<void> =>
    serve(
      commandOnOrders(some, (batch, order, { own, code }) => {
        for (const action of own) adjustOrder(batch, order, action, increaseOf(code, action));
      }),
    );
  /**
   * A position that cannot be adjusted is locked for the operator to inspect: trading it unadjusted would cost the member or the broker
   * money.
   */
  const lock = async ({ orderNo }: Held, error: unknown): Promise<void> => {
    if (error instanceof DatabaseUnavailable) throw error;
    await db.kysely.updateTable("order").set({ locked: true }).where("order_no", "=", orderNo).execute();
    report?.(error);
  };
  for (const some of inParts(due)) {
    try {
      await adjust(some);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      for (const one of some) await adjust([one]).catch((error: unknown) => lock(one, error));
    }
  }
}

/**
 * Registers work with the sequencer, so that nothing is decided on a trading day before it is done.
 * @returns a function that stops it
 */
export async function beforeEachTradingDay(deps: TradingDayDeps, run: (day: number, serve: Serve) => Promise<void>): Promise<() => void> {
  const { venue, sequencer, now } = deps;
  /** The trading day that the venue has begun. It counts rather than the clock, because prices change with it. */
  let day = taipeiDay(venue.state(now()).opensAt);
  let doneDay = -1;
  sequencer.beforeEachDay({
    due: () => doneDay !== day,
    work: async (serve) => {
      const working = day;
      await run(working, serve);
      doneDay = working;
    },
  });
  /** A timer has to check; otherwise the work would wait for the day's first command. */
  const ask = (): Promise<void> =>
    sequencer.submit({ memberIds: [], decide: () => undefined }).catch((error: unknown) => deps.report?.(error));
  const stop = venue.onPhase(() => {
    const begun = taipeiDay(venue.state(now()).opensAt);
    if (begun === day) return;
    day = begun;
    void ask();
  });
  await ask();
  return stop;
}

/** Applies ex-events to the positions before each day. @returns a function that stops it */
export function startCorporateActions(deps: CorporateActionDeps): Promise<() => void> {
  return beforeEachTradingDay(deps, (day, serve) => adjustAll(deps, day, serve));
}
