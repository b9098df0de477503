/** The clock of strategies: decides every run once a trading day, stops what has lost too much, and sells what is being stopped. */
import { isStrategyFact } from "#contract/fact-kind.ts";
import { SECOND_MS, taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { BackOff } from "#server/kernel/back-off.ts";
import type { RunRecord } from "#server/records/strategy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { queriesOfPosition } from "#server/trading/order-entry/close.ts";
import { heldByRuns, isBeyondStop, markOf, runValuations } from "#server/accounts/held-value.ts";
import type { HeldSum } from "#server/accounts/held-value.ts";
import { LossWatch } from "#server/accounts/loss-watch.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { startClock } from "#server/trading/sequencer/clock.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import type { Wanted } from "./rules.ts";
import { openRuns, runIn, stepRun } from "./runs-in-batch.ts";
import { keyOf, readWanted } from "./strategy-history.ts";
import { sellAll } from "./run-sale.ts";
import { strategyRound, WAITS_MS } from "./strategy-round.ts";
import type { RunPosition } from "./strategy-round.ts";

/** Runs decided together. */
const TOGETHER = 100;
const OPEN = "SELECT * FROM strategy_run WHERE status <> 'stopped' ORDER BY id";
/** What the runs bought and still hold, the oldest first. */
const POSITIONS = `SELECT trade.run_no, trade.member_id, trade.order_no, trade.code
FROM strategy_run AS run JOIN strategy_trade AS trade USING (run_no) JOIN "order" AS held USING (order_no)
WHERE run.status <> 'stopped' AND trade.side = 'buy' AND held.filled_lots > held.closed_lots ORDER BY trade.id`;

/** The open runs, with what each holds. */
interface Watched {
  runs: readonly RunRecord[];
  positions: ReadonlyMap<string, RunPosition[]>;
  holdings: readonly HeldSum[];
}

type Named = Pick<RunRecord, "run_no" | "member_id">;

/** Begins to stop at the loss: what it bought is sold next. */
function stoppingAtLoss({ run_no: runNo, member_id: memberId }: Named): QueuedCommand<void> {
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx, batch) => {
      await openRuns.read(tx, batch, memberId);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch) => {
      const row = runIn(batch, memberId, runNo);
      if (row?.status !== "running" && row?.status !== "paused") return;
      row.reason = "loss";
      const values = { strategy: row.strategy, code: row.code ?? "" };
      stepRun(batch, row, "strategy.stopping", putNotice(batch, memberId, messageNo, { about: "strategyStopped", values }));
    },
  };
}

/** Sells what a stopping run holds, as far as it can be sold now; ends the run where it holds nothing. */
function sellingOut({ run_no: runNo, member_id: memberId }: Named, positions: readonly RunPosition[]): QueuedCommand<void> {
  return {
    memberIds: [memberId],
    orderNos: positions.map(({ order_no: orderNo }) => orderNo),
    placements: positions.length,
    counterparties: (batch) =>
      positions.flatMap(({ order_no: orderNo }) => {
        const order = batch?.order(memberId, orderNo);
        return batch && order ? queriesOfPosition(batch, order) : [];
      }),
    prepare: async (tx, batch) => {
      await openRuns.read(tx, batch, memberId);
    },
    decide: (batch) => {
      const row = runIn(batch, memberId, runNo);
      if (row?.status !== "stopping") return;
      if (positions.length === 0) {
        stepRun(batch, row, "strategy.stopped");
        return;
      }
      let sold = false;
      for (const { code, order_no: orderNo } of positions) {
        const order = batch.order(memberId, orderNo);
        const instrument = batch.venue.instrument(code);
        if (order && instrument && sellAll(batch, row, order, instrument) !== "nothing") sold = true;
      }
      if (sold) stepRun(batch, row, "strategy.sold");
    },
  };
}

class StrategyClock {
  readonly #deps: ClockDeps;
  readonly #backOff = new BackOff();
  readonly #losses = new LossWatch();
  #isStopped = false;
  /** The open runs and what is in them, as long as nothing of it changed. */
  #watched: Watched | null = null;
  /** Counts the batches that changed them. */
  #changes = 0;
  /** What the strategies want on a day. */
  #wanted = new Map<string, Promise<Wanted>>();
  #wantedDay = 0;

  constructor(deps: ClockDeps) {
    this.#deps = deps;
  }

  follow({ touched, facts }: Batch): void {
    if (!facts.some(({ fact }) => isStrategyFact(fact)) && ![...touched].some((order) => order.origin === "strategy")) return;
    this.#watched = null;
    this.#changes += 1;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** A failure after the stop is nobody's: the database may be closed by then. */
  readonly #fail = (error: unknown): void => (this.#isStopped ? undefined : this.#deps.report?.(error));

  #submit(key: string, command: QueuedCommand<void>): Promise<boolean> {
    return this.#backOff.take(key, () => this.#deps.sequencer.submit(command), this.#fail);
  }

  async #watch(): Promise<Watched> {
    if (this.#watched) return this.#watched;
    const changes = this.#changes;
    const { kysely } = this.#deps.db;
    const runs = await query<RunRecord>(kysely, OPEN);
    const positions = runs.length === 0 ? [] : await query<RunPosition>(kysely, POSITIONS);
    const holdings = await heldByRuns(
      kysely,
      runs.map((row) => row.run_no),
    );
    const watched = { runs, positions: Map.groupBy(positions, (position) => position.run_no), holdings };
    // What changed meanwhile is read at the next look.
    if (changes === this.#changes) this.#watched = watched;
    return watched;
  }

  async tick(): Promise<void> {
    this.#backOff.tick();
    const { runs, positions, holdings } = await this.#watch();
    if (runs.length === 0) return;
    await this.#stopLost(runs, holdings);
    // Those together share a transaction: the opening of many runs does not fill the queue at once, nor wait for each.
    for (let from = 0; from < runs.length && !this.#isStopped; from += TOGETHER)
      await Promise.all(runs.slice(from, from + TOGETHER).map((row) => this.#act(row, positions.get(row.run_no) ?? [])));
  }

  async #act(row: RunRecord, positions: readonly RunPosition[]): Promise<void> {
    if (row.status === "stopping") await this.#sellOut(row, positions);
    else if (row.status === "running") await this.#decide(row, positions);
  }

  async #stopLost(runs: readonly RunRecord[], holdings: readonly HeldSum[]): Promise<void> {
    const valuations = runValuations(
      this.#deps.venue,
      holdings,
      runs.map((row) => row.run_no),
      markOf,
    );
    const losing = runs.filter((row, nth) => {
      const valuation = valuations[nth];
      return row.reason === null && valuation !== undefined && isBeyondStop(row, valuation);
    });
    const lost = this.#losses.look(
      losing.map((row) => row.run_no),
      this.#deps.now(),
    );
    for (const row of losing.filter(({ run_no: runNo }) => lost.has(runNo))) await this.#submit(row.run_no, stoppingAtLoss(row));
  }

  async #sellOut(row: RunRecord, positions: readonly RunPosition[]): Promise<void> {
    const { venue, now } = this.#deps;
    if (positions.length > 0 && venue.phase(now()) !== "open") return;
    await this.#submit(row.run_no, sellingOut(row, positions));
  }

  /** What a strategy wants today; asked of the thread once a day for all who run it. */
  #wantedOn(day: number, row: RunRecord): Promise<Wanted> {
    if (day !== this.#wantedDay) this.#wanted = new Map();
    this.#wantedDay = day;
    const key = keyOf(row);
    const known = this.#wanted.get(key) ?? readWanted(this.#deps.venue, row, day);
    this.#wanted.set(key, known);
    // What could not be computed is asked again.
    known.catch(() => this.#wanted.delete(key));
    return known;
  }

  async #decide(row: RunRecord, positions: readonly RunPosition[]): Promise<void> {
    const { venue, now } = this.#deps;
    const at = now();
    const day = taipeiDay(at);
    if (row.decided_day === day || venue.phase(at) !== "open" || !venue.fresh(at)) return;
    const { run_no: runNo, member_id: memberId } = row;
    await this.#backOff.take(
      runNo,
      async () => {
        const wanted = await this.#wantedOn(day, row);
        const waitsUntil = venue.state(at).opensAt + WAITS_MS;
        await this.#deps.sequencer.submit(strategyRound({ run_no: runNo, member_id: memberId, day, wanted, positions, waitsUntil }));
      },
      this.#fail,
    );
  }
}

export const startStrategyClock = async (deps: ClockDeps): Promise<() => Promise<void>> =>
  startClock(new StrategyClock(deps), SECOND_MS, deps);
