/** Handlers of fund raisings: those that are announced, and the member's stakes. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { Code } from "#contract/kernel/id.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { MINUTE_MS, epochMs } from "#contract/kernel/time.ts";
import type { IndexPast } from "#contract/raise.ts";
import { MILLION } from "#contract/rule.ts";
import { isProven } from "#server/accounts/proven.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { prepareStake, subscribe, withdraw } from "#server/offerings/stake.ts";
import { SELECT_RAISE, toRaise, toStake } from "#server/records/raise.ts";
import type { RaiseRecord, StakeRecord } from "#server/records/raise.ts";
import { stakesIn } from "#server/trading/clearing/stakes-in-batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { checkCursor } from "./page.ts";

export interface RaiseHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "listRaises" | "subscribeRaise" | "withdrawStake" | "listStakes">;

const RAISES = `${SELECT_RAISE} WHERE o.market = $1 ORDER BY o.opens_at DESC, o.id DESC LIMIT ${PAGE_SIZE}`;
const STAKES = `SELECT * FROM stake WHERE member_id = $1
  AND ($2::text IS NULL OR id < (SELECT id FROM stake AS last WHERE last.member_id = $1 AND last.stake_no = $2)) ORDER BY id DESC LIMIT $3`;
const RAISES_OF = `${SELECT_RAISE} WHERE r.offering_no = ANY ($1::text[])`;
/** Weeks of the past that is shown of an index, and how long it is kept. */
const PAST_WEEKS = 53;
const KEPT_MS = 10 * MINUTE_MS;

/** The cursor is the number of the last one: what orders the rows counts those of everybody. */
const CURSOR = /^E[0-9a-f]{1,12}$/;

/** The list is not kept waiting for longer by the past of an index, which takes seconds soon after a start; it is shown the next time. */
const PATIENCE_MS = 1_000;

/** The change of an index over the last year of weekly closes; null where the venue has no such past. */
async function readPast(venue: Venue, indexCode: string): Promise<IndexPast | null> {
  if (!venue.instrument(indexCode)) return null;
  const { bars } = await venue.candles(indexCode, "week", null, PAST_WEEKS);
  const last = bars.length - CANDLE_STRIDE;
  const [from, until, first, close] = [bars[0], bars[last], bars[4], bars[last + 4]];
  if (last <= 0 || from === undefined || until === undefined || !first || !close) return null;
  const changePerMillion = Math.round((close / first - 1) * MILLION);
  return { indexCode: Code.parse(indexCode), from: epochMs(from), until: epochMs(until), changePerMillion };
}

/** The past of an index, or null if it is not known soon. */
async function soon(past: Promise<IndexPast | null>): Promise<IndexPast | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((done) => (timer = setTimeout(done, PATIENCE_MS, null)));
  try {
    return await Promise.race([past, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Remembers the past of each index for a while. */
function openPasts(venue: Venue, now: () => number) {
  const kept = new Map<string, { at: number; past: Promise<IndexPast | null> }>();
  return (indexCode: string | null): Promise<IndexPast | null> => {
    if (indexCode === null) return Promise.resolve(null);
    const known = kept.get(indexCode);
    if (known && now() < known.at + KEPT_MS) return known.past;
    // A past that cannot be read leaves the list without it, and is read again.
    const past = readPast(venue, indexCode).catch(() => {
      kept.delete(indexCode);
      return null;
    });
    kept.set(indexCode, { at: now(), past });
    return past;
  };
}

export function raiseHandlers({ db, venue, sequencer }: RaiseHandlerDeps): Served {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  const pastOf = openPasts(venue, sources.now);
  return {
    async listRaises({ caller: { memberId } }) {
      const rule = sequencer.rules.of(memberId).raise;
      const rows = await query<RaiseRecord>(db.kysely, RAISES, [marketName(venue.state(sequencer.now()))]);
      const toEntry = async (row: RaiseRecord) => {
        const units = (venue.instrument(row.code)?.issuedThousands ?? 0) * 1000;
        return toRaise(row, rule, await soon(pastOf(row.index_code)), units || row.lots * row.lot_shares);
      };
      return { raises: await Promise.all(rows.map(toEntry)), rule };
    },
    async subscribeRaise({ caller: { memberId } }, { fundPassword, ...body }) {
      const proven = await isProven(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "subscribeRaise",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareStake(tx, batch, memberId, body.code),
          (batch, reads) => {
            const row = subscribe(batch, memberId, body, { ...reads, proven });
            return toStake(row, stakesIn(batch).raiseOf(row));
          },
        ),
      });
    },
    withdrawStake: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "withdrawStake",
        memberId,
        body,
        placements: 0,
        prepare: (tx, batch) => stakesIn(batch).readOne(tx, memberId, body.stakeNo),
        decide: (batch) => {
          const row = withdraw(batch, memberId, body.stakeNo);
          return toStake(row, stakesIn(batch).raiseOf(row));
        },
      }),
    async listStakes({ caller: { memberId } }, { cursor }) {
      const found = await query<StakeRecord>(db.kysely, STAKES, [memberId, checkCursor(cursor, CURSOR), PAGE_SIZE + 1]);
      const rows = found.slice(0, PAGE_SIZE);
      const raises = await query<RaiseRecord>(db.kysely, RAISES_OF, [rows.map((row) => row.offering_no)]);
      const byNo = new Map(raises.map((raise) => [raise.offering_no, raise]));
      const items = rows.flatMap((row) => {
        const raise = byNo.get(row.offering_no);
        return raise ? [toStake(row, raise)] : [];
      });
      return { items, next: found.length > PAGE_SIZE ? (items.at(-1)?.stakeNo ?? null) : null };
    },
  };
}
