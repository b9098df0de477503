/** Handlers of strategies: back-tests, the member's runs and what they traded, and the commands. */
import type { EndpointName } from "#contract/endpoints.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { isOpenRun } from "#contract/strategy.ts";
import type { StrategyRun } from "#contract/strategy.ts";
import { heldByRuns, runValuations } from "#server/accounts/held-value.ts";
import { readBacktest } from "#server/accounts/strategies/strategy-history.ts";
import { pauseRun, prepareRuns, resumeRun, startRun, stopRun } from "#server/accounts/strategies/strategy-run.ts";
import type { RunReads } from "#server/accounts/strategies/strategy-run.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toRun, toRunTrade } from "#server/records/strategy.ts";
import type { RunRecord, RunTradeRecord } from "#server/records/strategy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { callerKey } from "./http/read-rate.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface StrategyHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<
  Handlers,
  "readBacktest" | "startStrategy" | "pauseStrategy" | "resumeStrategy" | "stopStrategy" | "listStrategyRuns" | "listRunTrades"
>;

const CENTS = 100;
/** Those that have stopped stay in the list, the latest of them. */
const RUNS = `
(SELECT * FROM strategy_run WHERE member_id = $1 AND status <> 'stopped')
UNION ALL (SELECT * FROM strategy_run WHERE member_id = $1 AND status = 'stopped' ORDER BY id DESC LIMIT ${PAGE_SIZE}) ORDER BY id DESC`;
const TRADES = `SELECT * FROM strategy_trade WHERE run_no = $1 AND member_id = $2 AND ($3::bigint IS NULL OR id < $3::bigint)
ORDER BY id DESC LIMIT $4`;

async function readTrades(db: Database, memberId: number, runNo: string, cursor: string | null) {
  const own = await query(db.kysely, "SELECT FROM strategy_run WHERE run_no = $1 AND member_id = $2", [runNo, memberId]);
  if (own.length === 0) throw new Refusal("GEN_NOT_FOUND", {}, "runNo");
  const values = [runNo, memberId, readCursor(cursor), PAGE_SIZE + 1];
  const found = await query<RunTradeRecord & { id: number }>(db.kysely, TRADES, values);
  return pageFrom(found, toRunTrade, (item) => String(item.id));
}

export function strategyHandlers({ db, venue, sequencer }: StrategyHandlerDeps): Served {
  const command = (
    endpoint: EndpointName,
    memberId: number,
    body: { requestId: RequestId; runNo?: string },
    decide: (batch: Batch, reads: RunReads) => RunRecord,
  ): Promise<StrategyRun> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        (tx, batch) => prepareRuns(tx, batch, memberId, body.runNo ?? null),
        (batch, reads) => toRun(decide(batch, reads)),
      ),
    });
  };
  return {
    readBacktest: ({ caller }, { amount, ...subject }) => {
      const at = sequencer.now();
      const ruleFor = (instrument: Parameters<typeof sequencer.rules.for>[1]) => sequencer.rules.for(caller.memberId, instrument, at);
      return readBacktest(venue, subject, { caller: callerKey(caller), amountCents: amount * CENTS, at, ruleFor });
    },
    startStrategy: ({ caller: { memberId } }, body) =>
      command("startStrategy", memberId, body, (batch, reads) => startRun(batch, memberId, body, reads)),
    pauseStrategy: ({ caller: { memberId } }, body) =>
      command("pauseStrategy", memberId, body, (batch, reads) => pauseRun(batch, memberId, body.runNo, reads)),
    resumeStrategy: ({ caller: { memberId } }, body) =>
      command("resumeStrategy", memberId, body, (batch, reads) => resumeRun(batch, memberId, body.runNo, reads)),
    stopStrategy: ({ caller: { memberId } }, body) =>
      command("stopStrategy", memberId, body, (batch, reads) => stopRun(batch, memberId, body, reads)),
    async listStrategyRuns({ caller: { memberId } }) {
      const runs = (await query<RunRecord>(db.kysely, RUNS, [memberId])).map(toRun);
      // What was kept is the member's own business from then on.
      const runNos = runs.filter((run) => isOpenRun(run) || !run.kept).map(({ runNo }) => runNo);
      const valuations = runValuations(venue, await heldByRuns(db.kysely, runNos), runNos);
      return { runs, valuations, rule: sequencer.rules.of(memberId).strategy };
    },
    listRunTrades: ({ caller: { memberId } }, { runNo, cursor }) => readTrades(db, memberId, runNo, cursor),
  };
}
