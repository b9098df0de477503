/** Puts what happened to orders into their members' inboxes, with the batch in which it happened. */
import { announcementOf } from "#contract/announcement.ts";
import { keyOf } from "#contract/announcement-key.ts";
import { continues, joinReports } from "#contract/execution-report.ts";
import type { ExecutionReport } from "#contract/execution-report.ts";
import type { Fact } from "#contract/fact.ts";
import { defer, query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";

/** One message to write. */
interface Entry {
  member_id: number;
  at: number;
  report: ExecutionReport;
}

/** A message that told of part of an order's fills. */
interface EarlierMessage {
  id: number;
  member_id: number;
  at: number;
  report: ExecutionReport;
}

/** Messages about parts of orders, which the next fills of the same order and side join. */
const EARLIER = `
SELECT id, member_id, at, report FROM message
WHERE report ->> 'kind' = 'partlyFilled' AND report ->> 'orderNo' = ANY ($1::text[]) AND member_id = ANY ($2::bigint[])`;

const WRITE = `
WITH replaced AS (DELETE FROM message WHERE id = ANY ($1::bigint[]))
INSERT INTO message (member_id, at, kind, report)
SELECT member_id, at, 'executionReport', report FROM json_to_recordset($2::json) AS entry (member_id bigint, at bigint, report jsonb)`;

/** Tells whether a fill may follow earlier ones of the same order and side: only then is there a message to replace. */
function mayContinue(fact: Fact): boolean {
  if (!("fills" in fact)) return false;
  const [first] = fact.fills;
  if (!first) return false;
  if (first.side === "close") return true;
  return fact.order.filledLots > fact.fills.reduce((sum, { lots }) => sum + lots, 0);
}

class ReportsInBatch implements Participant {
  readonly effects = 0;
  readonly #batch: Batch;
  #earlier: readonly EarlierMessage[];

  constructor(batch: Batch, earlier: readonly EarlierMessage[]) {
    this.#batch = batch;
    this.#earlier = earlier;
  }

  /** Reads the messages about more orders. */
  async join(tx: Tx, orderNos: readonly string[]): Promise<void> {
    const memberIds = this.#batch.members.map(({ id }) => id);
    const known = new Set(this.#earlier.map(({ id }) => id));
    const more = await query<EarlierMessage>(tx, EARLIER, [orderNos, memberIds]);
    this.#earlier = [...this.#earlier, ...more.filter(({ id }) => !known.has(id))];
  }

  /** Writes one message for each order and event; several fills of an order are one message. */
  async write(tx: Tx): Promise<void> {
    const entries = new Map<string, Entry>();
    const continued = new Set<string>();
    for (const { memberId, fact } of this.#batch.facts) {
      const announcement = announcementOf(fact);
      if (announcement?.kind !== "report") continue;
      const { report } = announcement;
      const key = `${memberId} ${keyOf(announcement)}`;
      const before = entries.get(key);
      // The newest goes last, so that it gets the highest number.
      entries.delete(key);
      entries.set(key, { member_id: memberId, at: fact.at, report: before ? joinReports(before.report, report) : report });
      if (mayContinue(fact)) continued.add(report.orderNo);
    }
    if (entries.size === 0) return;
    const replaced = this.#joinEarlier([...entries.values()], continued);
    await defer(tx, WRITE, [replaced, JSON.stringify([...entries.values()])]);
  }

  /** Adds the fills of earlier batches. @returns the messages that told of them */
  #joinEarlier(entries: readonly Entry[], continued: ReadonlySet<string>): number[] {
    return this.#earlier.flatMap(({ id, member_id: memberId, at, report }) => {
      if (!continued.has(report.orderNo)) return [];
      const entry = entries.find((one) => one.member_id === memberId && continues(report, one.report));
      // Fills of an earlier close, whose rest was cancelled, are not those of this one.
      if (!entry || at < (this.#batch.order(memberId, report.orderNo)?.asked_at ?? 0)) return [];
      entry.report = joinReports(report, entry.report);
      return [id];
    });
  }
}

/** How execution reports take part in a batch. */
export const executionReports: ParticipantKind<ReportsInBatch> = {
  reads: ({ orderNos, memberIds }) => (orderNos.length === 0 ? null : { sql: EARLIER, parameters: [orderNos, memberIds] }),
  async open(tx, batch, { orderNos }, rows) {
    const part = new ReportsInBatch(batch, rows as EarlierMessage[]);
    const more = batch.ordersBeside(orderNos);
    if (more.length > 0) await part.join(tx, more);
    return part;
  },
};
