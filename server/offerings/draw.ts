/** The close and the draw of an offering, off the sequencer and in slices: the list that is published, and what everybody gets. */
import { setImmediate as turn } from "node:timers/promises";
import { crowdHashOf, drawSlices, hashOf, listHashSlices } from "#contract/draw.ts";
import type { DrawEntries, DrawEntry, DrawList, DrawResult, Slices } from "#contract/draw.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { DrawColumns } from "./draw-entries.ts";

/** Entries read or written at once. */
const PAGE = 500;
const ENTRIES = `SELECT receipt, lots FROM subscription WHERE offering_no = $1 AND status <> 'withdrawn' AND receipt > $2
ORDER BY receipt LIMIT $3`;
const SECRET = "SELECT secret, crowd_key, crowd_lots FROM offering_secret WHERE offering_no = $1";
const GIVE = `UPDATE subscription SET won_lots = given.won
FROM json_to_recordset($2::json) AS given (receipt text, won bigint)
WHERE offering_no = $1 AND subscription.receipt = given.receipt AND status = 'subscribing' RETURNING 1`;

export interface OfferingSecret {
  secret: string;
  crowd_key: string;
  crowd_lots: number;
}

/** Does the slices, and lets everything else have its turn between them. */
export async function inSlices<Result>(slices: Slices<Result>): Promise<Result> {
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value;
    await turn();
  }
}

/** A page of the published list after a receipt. */
export const readEntries = (on: Reader, offeringNo: string, after: string, limit = PAGE): Promise<DrawEntry[]> =>
  query<DrawEntry>(on, ENTRIES, [offeringNo, after, limit]);

/** The whole published list, page by page. */
export async function readAllEntries(on: Reader, offeringNo: string): Promise<DrawColumns> {
  const all = new DrawColumns(PAGE);
  for (;;) {
    const page = await readEntries(on, offeringNo, all.at(all.length - 1)?.receipt ?? "");
    all.add(page);
    if (page.length < PAGE) return all;
    await turn();
  }
}

export async function readSecret(on: Reader, offeringNo: string): Promise<OfferingSecret | null> {
  const [row] = await query<OfferingSecret>(on, SECRET, [offeringNo]);
  return row ?? null;
}

/** Whether a secret is the one that was committed to, with its crowd. */
const isCommitted = (row: OfferingRecord, kept: OfferingSecret): boolean =>
  hashOf(kept.secret) === row.secret_hash && crowdHashOf(kept.crowd_key, kept.crowd_lots) === row.crowd_hash;

const listOf = (row: OfferingRecord, kept: OfferingSecret, entries: DrawEntries): DrawList => ({
  offeringNo: row.offering_no,
  kind: row.kind,
  lots: row.lots,
  crowdKey: kept.crowd_key,
  crowdLots: kept.crowd_lots,
  entries,
});

/** What is published at the close. */
export interface PublishedList {
  crowdKey: string;
  crowdLots: number;
  memberLots: number;
  applications: number;
  listHash: string;
}

/** The list of a closed offering; null where the secret is lost, and with it the crowd. */
export async function listAtClose({ kysely }: Pick<Database, "kysely">, row: OfferingRecord): Promise<PublishedList | null> {
  const kept = await readSecret(kysely, row.offering_no);
  if (!kept || !isCommitted(row, kept)) return null;
  const entries = await readAllEntries(kysely, row.offering_no);
  const listHash = await inSlices(listHashSlices(listOf(row, kept, entries)));
  return { crowdKey: kept.crowd_key, crowdLots: kept.crowd_lots, memberLots: entries.lots, applications: entries.length, listHash };
}

export interface Drawn {
  secret: string;
  result: DrawResult;
  winningLots: number;
}

/**
 * Draws, and writes to each application what it wins, which nobody is told before the offering is `drawn`. Repeated after a kill it writes
 * the same. @returns null where the draw cannot be held: the secret is lost or not the one committed to, or the list is not that of the close
 */
export async function holdDraw({ kysely }: Pick<Database, "kysely">, row: OfferingRecord): Promise<Drawn | null> {
  const kept = await readSecret(kysely, row.offering_no);
  if (!kept || !isCommitted(row, kept)) return null;
  const entries = await readAllEntries(kysely, row.offering_no);
  const result = await inSlices(drawSlices(listOf(row, kept, entries), kept.secret));
  if (result.listHash !== row.list_hash) return null;
  let given = 0;
  for (let at = 0; at < entries.length; at += PAGE) {
    // Who wins nothing needs no write: no lots are what a row has.
    const part = [...result.wonLots.subarray(at, at + PAGE)].flatMap((won, nth) =>
      won > 0 ? [{ receipt: entries.at(at + nth)?.receipt, won }] : [],
    );
    given += part.reduce((sum, { won }) => sum + won, 0);
    const written = part.length > 0 ? await query(kysely, GIVE, [row.offering_no, JSON.stringify(part)]) : [];
    if (written.length < part.length)
      throw new Error(`offering ${row.offering_no}: ${written.length} of ${part.length} winners are written`);
  }
  return { secret: kept.secret, result, winningLots: given + result.crowdWon };
}
