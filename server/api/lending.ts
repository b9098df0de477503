/** Handlers of securities lending: what borrowers ask for, the member's offers and loans, recalls. */
import type { EndpointName } from "#contract/endpoints.ts";
import { demandRate, lenderPartOf } from "#contract/lending-fee.ts";
import type { Code, RequestId } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { Lending, LendingDemand } from "#contract/lending.ts";
import { lend, mostRateOf, offer, prepareLending, readTaken, recall, withdraw } from "#server/accounts/lending.ts";
import type { LendingReads } from "#server/accounts/lending.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { toLending } from "#server/records/lending.ts";
import type { LendingRecord } from "#server/records/lending.ts";
import { lendingsIn } from "#server/trading/clearing/lendings-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { DemandListing, Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface LendingHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "readLendingMarket" | "lendShares" | "offerShares" | "withdrawLendingOffer" | "recallShares" | "listLendings">;

/** Demands for instruments that the member does not hold are shown up to this number. */
const MOST_OTHERS = 40;
const HELD = `SELECT DISTINCT code FROM "order" WHERE member_id = $1 AND direction = 'rise' AND status = 'holding' AND filled_lots > closed_lots`;
const EARNED = `SELECT coalesce(sum(paid_cents), 0)::bigint AS paid,
  coalesce(json_agg(json_build_object('fee', fee_cents, 'broker', broker_per_million)) FILTER (WHERE status IN ('inProgress', 'recalled')), '[]') AS open
FROM lending WHERE member_id = $1`;
const LIST = "SELECT * FROM lending WHERE member_id = $1 AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3";
const ORDER_OF = "SELECT order_no FROM lending WHERE member_id = $1 AND lending_no = $2";
const ENDED = "SELECT * FROM lending WHERE member_id = $1 AND lending_no = $2";

async function readMarket({ db, venue, sequencer }: LendingHandlerDeps, memberId: number) {
  const at = sequencer.now();
  const { rules } = sequencer;
  const held = new Set((await query<{ code: string }>(db.kysely, HELD, [memberId])).map(({ code }) => code));
  const mostRate = (row: number): number => {
    const instrument = venue.instruments[row];
    return instrument ? mostRateOf({ rules, at } as Pick<Batch, "rules" | "at">, memberId, instrument) : 0;
  };
  const rated = venue.lending
    .demands(at)
    .map((demand) => ({ demand, rate: demandRate(mostRate(demand.row), demand.partPerMille), code: venue.instruments[demand.row]?.code }))
    .filter(
      (one): one is { demand: DemandListing; rate: number; code: Code } =>
        one.code !== undefined && venue.previousClose(one.demand.row) > 0,
    );
  const byRate = rated.toSorted((a, b) => b.rate - a.rate || a.demand.row - b.demand.row);
  const shown = [...byRate.filter(({ code }) => held.has(code)), ...byRate.filter(({ code }) => !held.has(code)).slice(0, MOST_OTHERS)];
  const ids = shown.map(({ demand }) => demand.demandId);
  const taken = await query<{ demand_id: string; taken: number }>(
    db.kysely,
    "SELECT demand_id, taken FROM lending_demand WHERE demand_id = ANY ($1::text[])",
    [ids],
  );
  const takenOf = new Map(taken.map((one) => [one.demand_id, one.taken]));
  const demands = shown.map(({ demand: { demandId, lots, days, noticeDays, minimumCents, row }, rate, code }): LendingDemand => {
    const left = lots - (takenOf.get(demandId) ?? 0);
    const asked = { demandId, code, lots, left, days, noticeDays };
    return { ...asked, ratePerMillion: rate, referencePrice: price(venue.previousClose(row)), minimumCents: cents(minimumCents) };
  });
  const terms = [...held].flatMap((code) => {
    const row = venue.instrument(code)?.row;
    if (row === undefined) return [];
    return [[code, { mostPerMillion: mostRate(row), referencePrice: price(venue.previousClose(row)) }] as const];
  });
  const [earned] = await query<{ paid: number; open: { fee: number; broker: number }[] }>(db.kysely, EARNED, [memberId]);
  const accrued = (earned?.open ?? []).reduce((sum, { fee, broker }) => sum + lenderPartOf(broker, fee), 0);
  return {
    open: venue.lending.isOpen(at),
    today: venue.feeDay(at),
    demands,
    held: Object.fromEntries(terms),
    rule: rules.of(memberId).lending,
    paidCents: cents(earned?.paid ?? 0),
    accruedCents: cents(accrued),
  };
}

export function lendingHandlers(deps: LendingHandlerDeps): Served {
  const { db, sequencer } = deps;
  const opening = (
    endpoint: EndpointName,
    memberId: number,
    body: { requestId: RequestId; orderNo: string; demandId?: string },
    decide: (batch: Batch, reads: LendingReads) => LendingRecord,
  ): Promise<Lending> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        async (tx, batch) => {
          const reads = await prepareLending(tx, batch, memberId);
          if (body.demandId !== undefined) await readTaken(tx, batch, body.demandId);
          return reads;
        },
        (batch, reads) => toLending(decide(batch, reads)),
      ),
    });
  };
  const onLending = (
    endpoint: EndpointName,
    memberId: number,
    body: { requestId: RequestId; lendingNo: string },
    decide: (batch: Batch) => LendingRecord,
  ): Promise<Lending> =>
    sequencer.commandAll({
      endpoint,
      memberId,
      body,
      placements: 0,
      prepare: async (tx, batch) => {
        const [row] = await query<{ order_no: string }>(tx, ORDER_OF, [memberId, body.lendingNo]);
        if (row && !batch.hasOrder(row.order_no)) await batch.joinOrders(tx, [{ memberId, orderNo: row.order_no }]);
        if (row && !lendingsIn(batch).row(memberId, body.lendingNo)) {
          const [ended] = await query<LendingRecord>(tx, ENDED, [memberId, body.lendingNo]);
          if (ended) lendingsIn(batch).add(ended);
        }
      },
      decide: (batch) => toLending(decide(batch)),
    });
  return {
    readLendingMarket: ({ caller: { memberId } }) => readMarket(deps, memberId),
    lendShares: ({ caller: { memberId } }, body) =>
      opening("lendShares", memberId, body, (batch, reads) => lend(batch, memberId, body, reads)),
    offerShares: ({ caller: { memberId } }, body) =>
      opening("offerShares", memberId, body, (batch, reads) => offer(batch, memberId, body, reads)),
    withdrawLendingOffer: ({ caller: { memberId } }, body) =>
      onLending("withdrawLendingOffer", memberId, body, (batch) => withdraw(batch, memberId, body.lendingNo)),
    recallShares: ({ caller: { memberId } }, body) =>
      onLending("recallShares", memberId, body, (batch) => recall(batch, memberId, body.lendingNo)),
    async listLendings({ caller: { memberId } }, { cursor }) {
      const rows = await query<LendingRecord>(db.kysely, LIST, [memberId, readCursor(cursor, "Q"), PAGE_SIZE + 1]);
      return pageFrom(rows, toLending, (item) => item.lendingNo);
    },
  };
}
