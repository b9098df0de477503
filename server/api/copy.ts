/** Handlers of copy trading: mentors and their fills, what the member follows, and the commands. */
import type { Answer, EndpointName } from "#contract/endpoints.ts";
import type { Copy, Mentor } from "#contract/copy.ts";
import { isOpenCopy } from "#contract/copy.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { follow, pauseCopy, prepareCopy, prepareFollow, resumeCopy, stopCopy } from "#server/accounts/copy.ts";
import type { CopyReads } from "#server/accounts/copy.ts";
import { copyValuations, heldByCopies, markOf } from "#server/accounts/held-value.ts";
import { MentorBook } from "#server/accounts/mentor-book.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toCopy, toCopyPart } from "#server/records/copy.ts";
import type { CopyPartRecord, CopyRecord, MentorRow } from "#server/records/copy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";

export interface CopyHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}

type Served = Pick<
  Handlers,
  "listMentors" | "listMentorFills" | "followMentor" | "pauseCopy" | "resumeCopy" | "stopCopy" | "listCopies" | "listCopyParts"
>;

const FILLS_A_PAGE = 500;
const MENTORS = `SELECT mentor.*, (SELECT count(*)::integer FROM copy WHERE copy.mentor_no = mentor.mentor_no AND status <> 'stopped') AS followers
FROM mentor WHERE removed_at IS NULL ORDER BY since, mentor_no`;
/** Those that have stopped stay in the list, the latest of them. */
const COPIES = `
(SELECT copy.*, strategy, name FROM copy JOIN mentor USING (mentor_no) WHERE copy.member_id = $1 AND status <> 'stopped')
UNION ALL (SELECT copy.*, strategy, name FROM copy JOIN mentor USING (mentor_no) WHERE copy.member_id = $1 AND status = 'stopped'
  ORDER BY id DESC LIMIT ${PAGE_SIZE}) ORDER BY id DESC`;
const PARTS = `SELECT * FROM copy_part WHERE copy_no = $1 AND member_id = $2 AND ($3::bigint IS NULL OR id < $3::bigint) ORDER BY id DESC LIMIT $4`;

async function readMentor(venue: Venue, book: MentorBook, row: MentorRow & { followers: number }): Promise<Mentor> {
  const { record } = await book.of(row);
  return {
    mentorNo: row.mentor_no,
    strategy: row.strategy,
    name: row.name,
    capitalCents: cents(row.capital_cents),
    since: epochMs(row.since),
    closesAt: row.closes_at === null ? null : epochMs(row.closes_at),
    removedAt: row.removed_at === null ? null : epochMs(row.removed_at),
    followers: row.followers,
    record,
    prices: Object.fromEntries(record.held.map(({ code }) => [code, price(markOf(venue, code))])),
  };
}

/** A page of a mentor's fills; those of a removed one stay readable for who followed it. */
async function readFills(db: Database, book: MentorBook, mentorNo: string, cursor: string | null): Promise<Answer<"listMentorFills">> {
  const [mentor] = await query<MentorRow>(db.kysely, "SELECT * FROM mentor WHERE mentor_no = $1", [mentorNo]);
  if (!mentor) throw new Refusal("GEN_NOT_FOUND", {}, "mentorNo");
  const from = readCursor(cursor) ?? 0;
  const { lines } = await book.of(mentor);
  const end = from + FILLS_A_PAGE;
  return { items: lines.slice(from, end), next: lines.length > end ? String(end) : null };
}

async function readCopies({ db, venue, sequencer }: CopyHandlerDeps, memberId: number): Promise<Answer<"listCopies">> {
  const copies = (await query<CopyRecord>(db.kysely, COPIES, [memberId])).map(toCopy);
  // What was kept is the member's own business from then on.
  const copyNos = copies.filter((copy) => isOpenCopy(copy) || !copy.kept).map(({ copyNo }) => copyNo);
  const valuations = copyValuations(venue, await heldByCopies(db.kysely, copyNos), copyNos);
  return { copies, valuations, at: epochMs(sequencer.now()) };
}

async function readParts(db: Database, memberId: number, copyNo: string, cursor: string | null): Promise<Answer<"listCopyParts">> {
  const own = await query(db.kysely, "SELECT FROM copy WHERE copy_no = $1 AND member_id = $2", [copyNo, memberId]);
  if (own.length === 0) throw new Refusal("GEN_NOT_FOUND", {}, "copyNo");
  const found = await query<CopyPartRecord & { id: number }>(db.kysely, PARTS, [copyNo, memberId, readCursor(cursor), PAGE_SIZE + 1]);
  return pageFrom(found, toCopyPart, (item) => String(item.id));
}

export function copyHandlers(deps: CopyHandlerDeps): Served {
  const { db, venue, sequencer } = deps;
  const book = new MentorBook(deps);
  const onCopy = (
    endpoint: EndpointName,
    memberId: number,
    body: { requestId: RequestId; copyNo: string; keep?: boolean },
    decide: (batch: Batch, own: Pick<CopyReads, "agreements" | "fundPassword">) => CopyRecord,
  ): Promise<Copy> => {
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      ...deciding(
        (tx, batch) => prepareCopy(tx, batch, memberId, body.copyNo),
        (batch, own) => toCopy(decide(batch, own)),
      ),
    });
  };
  return {
    async listMentors({ caller: { memberId } }) {
      const rows = await query<MentorRow & { followers: number }>(db.kysely, MENTORS);
      const mentors = await Promise.all(rows.map((row) => readMentor(venue, book, row)));
      return { mentors, rule: sequencer.rules.of(memberId).copy };
    },
    listMentorFills: (_call, { mentorNo, cursor }) => readFills(db, book, mentorNo, cursor),
    followMentor({ caller: { memberId } }, body) {
      return sequencer.commandAll({
        endpoint: "followMentor",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareFollow(tx, batch, memberId, body.mentorNo),
          (batch, reads) => toCopy(follow(batch, memberId, body, reads)),
        ),
      });
    },
    pauseCopy: ({ caller: { memberId } }, body) => onCopy("pauseCopy", memberId, body, (batch) => pauseCopy(batch, memberId, body.copyNo)),
    resumeCopy: ({ caller: { memberId } }, body) =>
      onCopy("resumeCopy", memberId, body, (batch, own) => resumeCopy(batch, memberId, body.copyNo, own)),
    stopCopy: ({ caller: { memberId } }, body) => onCopy("stopCopy", memberId, body, (batch) => stopCopy(batch, memberId, body)),
    listCopies: ({ caller: { memberId } }) => readCopies(deps, memberId),
    listCopyParts: ({ caller: { memberId } }, { copyNo, cursor }) => readParts(db, memberId, copyNo, cursor),
  };
}
