/** The published fills and records of mentors, read once and again after what may change them: every client asks for them every few seconds. */
import type { MentorFill, MentorRecord } from "#contract/mentor-record.ts";
import { recordOf } from "#contract/mentor-record.ts";
import type { Database } from "#server/db/database.ts";
import type { MentorRow } from "#server/records/copy.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { readMentorFills } from "./mentor-fills.ts";

interface Book {
  lines: readonly MentorFill[];
  record: MentorRecord;
}

export class MentorBook {
  readonly #db: Database;
  readonly #books = new Map<number, Promise<Book>>();

  constructor({ db, sequencer }: { db: Database; sequencer: Sequencer }) {
    this.#db = db;
    // Fills and adjustments are written with their order, in a batch. What was begun to be read before it is not kept either.
    sequencer.onBatch(({ touched }) => {
      for (const order of touched) this.#books.delete(order.member_id);
    });
  }

  of(mentor: Pick<MentorRow, "member_id" | "since" | "capital_cents">): Promise<Book> {
    const { member_id: memberId } = mentor;
    const known = this.#books.get(memberId);
    if (known) return known;
    const book = this.#read(mentor);
    this.#books.set(memberId, book);
    // What failed is read again.
    book.catch(() => this.#books.get(memberId) === book && this.#books.delete(memberId));
    return book;
  }

  async #read(mentor: Pick<MentorRow, "member_id" | "since" | "capital_cents">): Promise<Book> {
    const lines = await readMentorFills(this.#db.kysely, mentor);
    return { lines, record: recordOf(lines, mentor.capital_cents) };
  }
}
