/** What each stake gets at the close of a raising, reckoned off the sequencer and in slices: pro rata by member, then by stake. */
import { setImmediate as turn } from "node:timers/promises";
import { proRata, proRataSlices } from "#contract/pro-rata.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import type { RaiseRecord } from "#server/records/raise.ts";
import { inSlices } from "./draw.ts";

/** Stakes read, and members written, at once. */
const PAGE = 500;
const ASKED = `SELECT id, stake_no, member_id, lots FROM stake WHERE offering_no = $1 AND status = 'subscribed' AND id > $2
ORDER BY id LIMIT ${PAGE}`;
const ALLOT = `UPDATE stake SET allotted_lots = given.lots FROM json_to_recordset($1::json) AS given (stake_no text, lots bigint)
WHERE stake.stake_no = given.stake_no AND stake.status = 'subscribed'`;
const SUMS = `SELECT coalesce(sum(lots), 0)::bigint AS asked, coalesce(sum(allotted_lots), 0)::bigint AS given FROM stake
WHERE offering_no = $1 AND status = 'subscribed'`;

/** Lots that members asked for, and lots that they get. */
export interface MemberLots {
  asked: number;
  given: number;
}

interface Asked {
  id: number;
  stake_no: string;
  member_id: number;
  lots: number;
}

const lotsOf = (stakes: readonly Asked[]): number => stakes.reduce((sum, { lots }) => sum + lots, 0);

/** What the stakes of a raising hold now. */
export async function memberLots(on: Reader, offeringNo: string): Promise<MemberLots> {
  const [sums] = await query<MemberLots>(on, SUMS, [offeringNo]);
  return sums ?? { asked: 0, given: 0 };
}

/** Each member's stakes, in the order of their first ones. */
async function readMembers(on: Reader, offeringNo: string): Promise<Asked[][]> {
  const byMember = new Map<number, Asked[]>();
  for (let last = 0; ; await turn()) {
    const page = await query<Asked>(on, ASKED, [offeringNo, last]);
    for (const stake of page) {
      const own = byMember.get(stake.member_id);
      if (own) own.push(stake);
      else byMember.set(stake.member_id, [stake]);
    }
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) return [...byMember.values()];
  }
}

/** Divides what a member gets among their stakes. */
function divide(stakes: readonly Asked[], given: number): { stake_no: string; lots: number }[] {
  const parts = proRata(
    given,
    stakes.map(({ lots }) => lots),
  );
  return stakes.map(({ stake_no }, nth) => ({ stake_no, lots: parts[nth] ?? 0 }));
}

/**
 * Writes to each stake of a closed raising what it gets, which is told when the raising is `raised`. Who splits a subscription gets no more:
 * each member's lots are summed first, and the simulated crowd is one. Repeated after a kill it writes the same.
 */
export async function allotStakes({ kysely }: Pick<Database, "kysely">, row: RaiseRecord): Promise<MemberLots> {
  const members = await readMembers(kysely, row.offering_no);
  const totals = members.map(lotsOf);
  const asked = totals.reduce((sum, lots) => sum + lots, 0);
  const parts = await inSlices(proRataSlices(row.lots, [row.crowd_lots, ...totals]));
  for (let at = 0; at < members.length; at += PAGE) {
    const page = members.slice(at, at + PAGE).flatMap((stakes, nth) => divide(stakes, parts[at + nth + 1] ?? 0));
    await query(kysely, ALLOT, [JSON.stringify(page)]);
  }
  return { asked, given: parts.slice(1).reduce((sum, lots) => sum + lots, 0) };
}
