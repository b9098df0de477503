/** The clock of copy trading: what mentors traded is copied, what they sold is sold, and what reached its end is stopped. */
import type { CopyEnd } from "#contract/copy.ts";
import { isCopyFact } from "#contract/fact-kind.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { BackOff } from "#server/kernel/back-off.ts";
import type { CopyRecord } from "#server/records/copy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { startClock } from "#server/trading/sequencer/clock.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { copiesIn, stepCopy } from "./copies-in-batch.ts";
import { actRound, mustWait } from "./copy-purchase.ts";
import type { Act } from "./copy-purchase.ts";
import { DUE_SALES, isSaleDue, saleRound } from "./copy-sale.ts";
import type { DueSale } from "./copy-sale.ts";
import { copyValuations, heldByCopies, isBeyondStop, markOf } from "./held-value.ts";
import type { HeldSum } from "./held-value.ts";
import { LossWatch } from "./loss-watch.ts";
import { UsualVolume } from "./usual-volume.ts";
import { putNotice, takeMessageNo } from "./notice.ts";

/** What mentors traded and was not decided. A copy is not copied: two mentors who follow each other would buy without end. */
const ACTS = `
SELECT new.*, held.code, held.lot_shares, mentor.capital_cents,
  held.direction = 'rise' AND held.funding = 'cash' AND held.market = 'board' AND NOT held.day_trade AND held.kind IN ('stock', 'etf')
    AND held.origin IS NULL AS copyable
FROM (
  SELECT mentor_no, fill.member_id, fill.order_no, fill.side, fill.at, min(n) AS from_n, max(n) AS to_n, sum(lots)::integer AS lots,
    sum(lots * price)::bigint AS value
  FROM mentor JOIN fill ON fill.member_id = mentor.member_id AND fill.at >= mentor.acted_at
    AND EXISTS (SELECT FROM "order" WHERE "order".order_no = fill.order_no AND kind <> 'crypto')
  WHERE NOT EXISTS (SELECT FROM copy_act WHERE copy_act.order_no = fill.order_no AND fill.n BETWEEN from_n AND to_n)
  GROUP BY mentor_no, fill.member_id, fill.order_no, fill.side, fill.at
) AS new JOIN "order" AS held USING (order_no) JOIN mentor USING (mentor_no) ORDER BY new.at, new.order_no, new.from_n`;
const FOLLOWERS = "SELECT member_id FROM copy WHERE mentor_no = $1 AND status = 'following' ORDER BY id";
const ACTED = "UPDATE mentor SET acted_at = greatest(acted_at, $2) WHERE mentor_no = $1";
const OPEN = `SELECT copy.*, mentor.strategy, mentor.name FROM copy JOIN mentor USING (mentor_no)
WHERE status IN ('following', 'paused') ORDER BY copy.id`;
/** Those that are stopping and have sold everything. */
const SOLD_OUT = `SELECT copy_no, member_id FROM copy WHERE status = 'stopping' AND NOT EXISTS (
  SELECT FROM copy_part JOIN "order" USING (order_no) WHERE copy_part.copy_no = copy.copy_no AND side = 'buy'
    AND "order".status IN ('holding', 'readyToClose'))`;
const MENTORS = "SELECT mentor_no, member_id, removed_at IS NOT NULL AS removed FROM mentor";

/** Orders sold in one batch. */
const TOGETHER = 1_000;
/** How often the market's moves are looked at, and what could not be done before. */
const LOOK_MS = SECOND_MS;
const TICK_MS = 100;

type Named = Pick<CopyRecord, "copy_no" | "member_id">;

const REASON_TEXT = { loss: "copyLoss", deadline: "copyDeadline", removed: "copyRemoved" } as const;

/** Begins to stop: what was copied is sold next. */
function stopping({ copy_no: copyNo, member_id: memberId }: Named, reason: Exclude<CopyEnd, "member">): QueuedCommand<void> {
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch) => {
      await copiesIn(batch).read(tx, [memberId]);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch) => {
      const row = copiesIn(batch).row(memberId, copyNo);
      if (row?.status !== "following" && row?.status !== "paused") return;
      row.reason = reason;
      const values = { mentor: row.name ?? "", strategy: row.strategy ?? "", reason: REASON_TEXT[reason] };
      stepCopy(batch, row, "copy.stopping", putNotice(batch, memberId, messageNo, { about: "copyStopped", values }));
    },
  };
}

/** Ends what has sold everything. */
function stopped({ copy_no: copyNo, member_id: memberId }: Named): QueuedCommand<void> {
  return {
    memberIds: [memberId],
    prepare: (tx, batch) => copiesIn(batch).read(tx, [memberId]),
    decide: (batch) => {
      const row = copiesIn(batch).row(memberId, copyNo);
      if (row?.status === "stopping") stepCopy(batch, row, "copy.stopped");
    },
  };
}

class CopyClock {
  readonly #deps: ClockDeps;
  readonly #backOff = new BackOff();
  readonly #losses = new LossWatch();
  readonly #usual = new UsualVolume();
  /** Acts that were waited for. */
  readonly #waited = new Set<string>();
  #mentors: ReadonlySet<number> = new Set();
  #removed: ReadonlySet<string> = new Set();
  #isStopped = false;
  /** Something changed that may have to be copied, sold or ended. */
  #isDirty = true;
  #lookAt = 0;
  /** The open copies and what lies in them, as long as nothing of it changed. */
  #watched: { rows: CopyRecord[]; holdings: HeldSum[] } | null = null;
  /** Counts the batches that changed copies. */
  #changes = 0;

  constructor(deps: ClockDeps) {
    this.#deps = deps;
  }

  follow({ touched, facts }: Batch): void {
    const isCopy = facts.some(({ fact }) => isCopyFact(fact)) || [...touched].some((order) => order.origin === "copy");
    if (isCopy) {
      this.#watched = null;
      this.#changes += 1;
    }
    if (isCopy || [...touched].some((order) => this.#mentors.has(order.member_id))) this.#isDirty = true;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async tick(): Promise<void> {
    const at = this.#deps.now();
    // Where time is moved back, nothing waits for the time before.
    if (!this.#isDirty && at < this.#lookAt && at > this.#lookAt - LOOK_MS) return;
    this.#backOff.tick();
    this.#isDirty = false;
    this.#lookAt = at + LOOK_MS;
    // An operator admits and removes them outside of batches.
    const mentors = await query<{ mentor_no: string; member_id: number; removed: boolean }>(this.#deps.db.kysely, MENTORS);
    this.#mentors = new Set(mentors.map((row) => row.member_id));
    this.#removed = new Set(mentors.filter(({ removed }) => removed).map((row) => row.mentor_no));
    if (this.#mentors.size === 0) return;
    await this.#stopDue();
    await this.#copyActs();
    await this.#sell();
    await this.#end();
  }

  /** A failure after the stop is nobody's: the database may be closed by then. */
  readonly #fail = (error: unknown): void => (this.#isStopped ? undefined : this.#deps.report?.(error));

  #submit(key: string, command: QueuedCommand<void> | (() => Promise<QueuedCommand<void>>)): Promise<boolean> {
    const submit = async () => this.#deps.sequencer.submit(typeof command === "function" ? await command() : command);
    return this.#backOff.take(key, submit, this.#fail);
  }

  /** Decides what mentors traded, one act after the other, so that each sees what the earlier ones left of an amount. */
  async #copyActs(): Promise<void> {
    const { db, venue, sequencer, now } = this.#deps;
    const at = now();
    const acts = await query<Act>(db.kysely, ACTS);
    const open = new Set<string>();
    for (const act of acts) {
      if (this.#isStopped) return;
      const followers = await query<{ member_id: number }>(db.kysely, FOLLOWERS, [act.mentor_no]);
      const ids = followers.map((row) => row.member_id);
      const waits = mustWait(act, { venue, rules: sequencer.rules, at: sequencer.now() as Batch["at"] });
      const key = `${act.order_no} ${act.from_n}`;
      if (waits) this.#waited.add(key);
      const round = async () => actRound(act, ids, { hasWaited: this.#waited.has(key), usual: await this.#usual.of(venue, act.code, at) });
      if (waits || !(await this.#submit(key, round))) open.add(act.mentor_no);
      else this.#waited.delete(key);
    }
    const last = new Map(acts.map((act) => [act.mentor_no, act.at]));
    for (const [mentorNo, at] of last) if (!open.has(mentorNo)) await query(db.kysely, ACTED, [mentorNo, at]);
  }

  /** Reads what is open, unless nothing of it has changed. */
  async #watch(): Promise<{ rows: CopyRecord[]; holdings: HeldSum[] }> {
    if (this.#watched) return this.#watched;
    const changes = this.#changes;
    const { kysely } = this.#deps.db;
    const rows = await query<CopyRecord>(kysely, OPEN);
    const holdings = await heldByCopies(
      kysely,
      rows.map((row) => row.copy_no),
    );
    const watched = { rows, holdings };
    // What changed meanwhile is read at the next look.
    if (changes === this.#changes) this.#watched = watched;
    return watched;
  }

  async #stopDue(): Promise<void> {
    const { venue, now } = this.#deps;
    const { rows, holdings } = await this.#watch();
    const valuations = copyValuations(
      venue,
      holdings,
      rows.map((row) => row.copy_no),
      markOf,
    );
    const losing = rows.filter((row, nth) => valuations[nth] && isBeyondStop(row, valuations[nth]));
    const lost = this.#losses.look(
      losing.map((row) => row.copy_no),
      now(),
    );
    const due = rows.flatMap((row): { row: CopyRecord; reason: Exclude<CopyEnd, "member"> }[] => {
      if (this.#removed.has(row.mentor_no)) return [{ row, reason: "removed" }];
      if (row.until_at <= now()) return [{ row, reason: "deadline" }];
      return lost.has(row.copy_no) ? [{ row, reason: "loss" }] : [];
    });
    await Promise.all(due.map(({ row, reason }) => this.#submit(row.copy_no, stopping(row, reason))));
  }

  async #sell(): Promise<void> {
    const { db, venue, sequencer, now } = this.#deps;
    const byCode = new Map<string, DueSale[]>();
    for (const due of await query<DueSale>(db.kysely, DUE_SALES)) {
      if (!isSaleDue(due, venue, sequencer.rules.of(due.member_id).copy.slipPerMillion, now())) continue;
      const some = byCode.get(due.code) ?? [];
      byCode.set(due.code, some);
      some.push(due);
    }
    for (const [code, all] of byCode)
      for (let from = 0; from < all.length && !this.#isStopped; from += TOGETHER)
        await this.#submit(`sale ${code}`, saleRound(code, all.slice(from, from + TOGETHER)));
  }

  async #end(): Promise<void> {
    const ended = await query<Named>(this.#deps.db.kysely, SOLD_OUT);
    await Promise.all(ended.map((row) => this.#submit(row.copy_no, stopped(row))));
  }
}

export const startCopyClock = async (deps: ClockDeps): Promise<() => Promise<void>> => startClock(new CopyClock(deps), TICK_MS, deps);
