/** Handlers of offerings: the list by phase and kind, and one of them, each with what the member has to do with it. */
import { epochMs } from "#contract/kernel/time.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { barredDraws } from "#server/offerings/barred.ts";
import { readEntries } from "#server/offerings/draw.ts";
import { publishedDraw, toEntitlement, toOffering } from "#server/records/offering.ts";
import type { EntitlementRecord, OfferingRecord } from "#server/records/offering.ts";
import { toSubscription } from "#server/records/subscription.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

export interface OfferingHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "listOfferings" | "readOffering" | "findOffering" | "readDraw" | "listDrawEntries">;

const LIST = `SELECT * FROM offering WHERE ($1::text[] IS NULL OR phase = ANY ($1::text[])) AND ($2::text[] IS NULL OR kind = ANY ($2::text[]))
AND ($3::bigint IS NULL OR (opens_at, id) < ($3::bigint, $4::bigint)) ORDER BY opens_at DESC, id DESC LIMIT $5`;
/** Those open alone: what a member can still apply for, the most urgent first. */
const OPEN = `SELECT * FROM offering WHERE phase = ANY ($1::text[]) AND ($2::text[] IS NULL OR kind = ANY ($2::text[]))
AND ($3::bigint IS NULL OR (closes_at, id) > ($3::bigint, $4::bigint)) ORDER BY closes_at, id LIMIT $5`;
const ONE = "SELECT * FROM offering WHERE offering_no = $1";
const OF_CODE = "SELECT * FROM offering WHERE market = $1 AND code = $2 ORDER BY id DESC LIMIT 1";
const RIGHTS = "SELECT * FROM entitlement WHERE member_id = $1 AND offering_no = ANY ($2::text[])";
const MINE = `SELECT DISTINCT ON (offering_no) * FROM subscription WHERE member_id = $1 AND offering_no = ANY ($2::text[])
ORDER BY offering_no, id DESC`;
/** Entries of the published list on one page. */
const ENTRIES = 1_000;
const BOOKED = "SELECT offering_no FROM offering_booking WHERE member_id = $1 AND offering_no = ANY ($2::text[])";

/** Parses a cursor into the place it names. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
function readCursor(cursor: string | null): [at: number | null, id: number | null] {
  if (cursor === null) return [null, null];
  const match = /^(\d{1,15})-(\d{1,12})$/.exec(cursor);
  if (!match) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return [Number(match[1]), Number(match[2])];
}

/** @throws Refusal GEN_NOT_FOUND */
async function readOne(on: Reader, offeringNo: string): Promise<OfferingRecord> {
  const [row] = await query<OfferingRecord>(on, ONE, [offeringNo]);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "offeringNo");
  return row;
}

export function offeringHandlers({ db, venue, sequencer }: OfferingHandlerDeps): Served {
  /** What a listed instrument trades at. One of another market, with the same code, does not count. */
  const marketPrice = ({ code, kind, market, trades_from }: OfferingRecord, at: number): number | null => {
    const isListed = kind === "increase" || trades_from <= at;
    const instrument = isListed && market === marketName(venue.state(at)) ? venue.instrument(code) : undefined;
    const quote = instrument && venue.quote(instrument.row);
    return quote ? quote.last || quote.reference || null : null;
  };
  const entriesOf = async (on: Reader, memberId: number, rows: readonly OfferingRecord[]): Promise<OfferingEntry[]> => {
    const at = sequencer.now();
    const rule = sequencer.rules.of(memberId).offering;
    const numbers = rows.map((row) => row.offering_no);
    const mine = new Map((await query<SubscriptionRecord>(on, MINE, [memberId, numbers])).map((row) => [row.offering_no, row]));
    const booked = new Set((await query<{ offering_no: string }>(on, BOOKED, [memberId, numbers])).map((row) => row.offering_no));
    const rights = new Map((await query<EntitlementRecord>(on, RIGHTS, [memberId, numbers])).map((row) => [row.offering_no, row]));
    return rows.map((row) => {
      const right = rights.get(row.offering_no);
      const own = mine.get(row.offering_no);
      return {
        offering: toOffering(row, marketPrice(row, epochMs(at)), rule),
        booked: booked.has(row.offering_no),
        subscription: own ? toSubscription(own, row) : null,
        entitlement: right ? toEntitlement(right) : null,
      };
    });
  };
  const oneOf = async (memberId: number, sql: string, values: readonly string[], field: string): Promise<OfferingEntry> => {
    const rows = await query<OfferingRecord>(db.kysely, sql, values);
    const [entry] = await entriesOf(db.kysely, memberId, rows);
    if (!entry) throw new Refusal("GEN_NOT_FOUND", {}, field);
    return entry;
  };
  return {
    async listOfferings({ caller: { memberId } }, { phases, kinds, cursor }) {
      const rule = sequencer.rules.of(memberId).offering;
      const openOnly = phases?.length === 1 && phases[0] === "open";
      const rows = await query<OfferingRecord>(db.kysely, openOnly ? OPEN : LIST, [phases, kinds, ...readCursor(cursor), PAGE_SIZE + 1]);
      const shown = rows.slice(0, PAGE_SIZE);
      const last = rows.length > PAGE_SIZE ? shown.at(-1) : undefined;
      return {
        page: {
          items: await entriesOf(db.kysely, memberId, shown),
          next: last ? `${openOnly ? last.closes_at : last.opens_at}-${last.id}` : null,
        },
        rule,
        barredDraws: await barredDraws(db.kysely, memberId, rule),
      };
    },
    readOffering: ({ caller: { memberId } }, { offeringNo }) => oneOf(memberId, ONE, [offeringNo], "offeringNo"),
    // An instrument is offered once in a market before its listing; capital increases come after that.
    findOffering: ({ caller: { memberId } }, { code }) =>
      oneOf(memberId, OF_CODE, [marketName(venue.state(epochMs(sequencer.now()))), code], "code"),
    async readDraw(_call, { offeringNo }) {
      return publishedDraw(await readOne(db.kysely, offeringNo));
    },
    async listDrawEntries(_call, { offeringNo, cursor }) {
      if (cursor !== null && !/^[\da-f]{64}$/.test(cursor)) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
      const { list_hash: listHash } = await readOne(db.kysely, offeringNo);
      const items = listHash === null ? [] : await readEntries(db.kysely, offeringNo, cursor ?? "", ENTRIES);
      return { items, next: items.length === ENTRIES ? (items.at(-1)?.receipt ?? null) : null };
    },
  };
}
