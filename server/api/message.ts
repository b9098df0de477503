/** Handlers of the inbox: a member's messages and their read state. */
import { sql } from "kysely";
import type { Message } from "#contract/message.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import type { MarginCallTable } from "#server/db/schema.ts";
import type { AlertRecord } from "#server/records/alert.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom, readCursor } from "./page.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { toMessage } from "#server/records/message.ts";
import type { MessageRecord } from "#server/records/message.ts";

type Row = Omit<MessageRecord, "member_id" | "alert_id" | "call_no" | "untold"> & {
  alert: AlertRecord | null;
  call: MarginCallTable | null;
};

async function rowsOf(on: Reader, memberId: number, limit: number, where: { below?: number | null; id?: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT message.id, message.at, message.kind, message.read, message.debt, message.report, message.identity, message.restriction, message.deposit, message.withdrawal, message.loan, message.notice, message.block, message.auction, to_json(alert) AS alert, to_json(margin_call) AS call
    FROM message LEFT JOIN alert ON alert.member_id = message.member_id AND alert.id = message.alert_id
      LEFT JOIN margin_call ON margin_call.call_no = message.call_no
    WHERE message.member_id = ${memberId}
      AND (${where.below ?? null}::bigint IS NULL OR message.id < ${where.below ?? null}::bigint)
      AND (${where.id ?? null}::bigint IS NULL OR message.id = ${where.id ?? null}::bigint)
    ORDER BY message.id DESC LIMIT ${limit}`.execute(on);
  return rows;
}

const messageOf = (row: Row): Message => toMessage(row, row.alert, row.call);

/** Counts a member's unread messages. */
export async function countUnread(on: Reader, memberId: number): Promise<number> {
  const [row] = await query<{ n: number }>(on, "SELECT count(*)::integer AS n FROM message WHERE member_id = $1 AND NOT read", [memberId]);
  return row?.n ?? 0;
}

/** What the database alone answers. */
export const messageReads = ({ db }: { db: Database }): Pick<Handlers, "listMessages"> => ({
  async listMessages({ caller }, { cursor }) {
    const rows = await rowsOf(db.kysely, caller.memberId, PAGE_SIZE + 1, { below: readCursor(cursor, "M") });
    return pageFrom(rows, messageOf, (item) => item.id);
  },
});

export function messageHandlers({ db }: { db: Database }): Pick<Handlers, "listMessages" | "readMessage" | "readAllMessages"> {
  const locked = <Result>(memberId: number, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.transaction(async (tx) => {
      await lockMember(tx, memberId);
      return work(tx);
    });
  return {
    ...messageReads({ db }),
    readMessage: ({ caller: { memberId } }, { id }) =>
      locked(memberId, async (tx) => {
        const number = Number(id.slice(1));
        await tx.updateTable("message").set({ read: true }).where("member_id", "=", memberId).where("id", "=", number).execute();
        const [row] = await rowsOf(tx, memberId, 1, { id: number });
        if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "id");
        return { message: messageOf(row), unread: await countUnread(tx, memberId) };
      }),
    readAllMessages: ({ caller: { memberId } }) =>
      locked(memberId, async (tx) => {
        await tx.updateTable("message").set({ read: true }).where("member_id", "=", memberId).where("read", "=", false).execute();
        return { unread: await countUnread(tx, memberId) };
      }),
  };
}
