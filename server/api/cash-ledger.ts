/** Handler of the cash ledger: ledger transactions as they changed a member's available and frozen money, one entry per currency. */
import { sql } from "kysely";
import type { CashEntry } from "#contract/cash-ledger.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { flowIdOf, flowNoOf } from "./flow-number.ts";
import type { Handlers } from "./handler.ts";
import type { LedgerTxTable } from "#server/db/schema.ts";
import { FROZEN_POCKETS, OWNED_POCKETS } from "#server/ledger/pocket.ts";

/** A ledger transaction with the sums of its entries in the member's pockets, in cents. */
type Row = Pick<LedgerTxTable, "kind" | "order_no" | "at" | "series"> & {
  id: number;
  currency: Currency;
  available: number;
  frozen: number;
  owned: number;
  /** The instrument of its order. */
  code: string | null;
  /** Available money afterwards: from its own entry, or from the latest earlier one when it has none. */
  balance: number;
  /** The futures wallet afterwards, where it moved. */
  futures: number | null;
};

function toFlow(row: Row): CashEntry {
  return {
    flowNo: flowNoOf(row.id),
    at: epochMs(row.at),
    kind: row.kind,
    currency: row.currency,
    amountCents: cents(row.owned),
    availableCents: cents(row.available),
    frozenCents: cents(row.frozen),
    balanceCents: cents(row.balance),
    orderNo: row.order_no as OrderNo | null,
    code: row.code as Code | null,
    series: row.series,
    futuresWalletCents: row.futures === null ? null : cents(row.futures),
  };
}

export function cashLedgerHandlers({ db }: { db: Database }): Pick<Handlers, "listFlows"> {
  return {
    async listFlows({ caller: { memberId } }, { kinds, from, until, cursor }) {
      const after = cursor === null ? null : flowIdOf(cursor, "cursor");
      const { rows } = await sql<Row>`
        WITH page AS (
          SELECT id, kind, order_no, at, series FROM ledger_tx
          WHERE member_id = ${memberId}
            AND (${after}::bigint IS NULL OR id < ${after}::bigint)
            AND (${from}::bigint IS NULL OR at >= ${from}::bigint) AND (${until}::bigint IS NULL OR at < ${until}::bigint)
            AND (${kinds === null} OR kind = ANY (${kinds ?? []}::text[]))
          ORDER BY id DESC LIMIT ${PAGE_SIZE + 1}
        )
        SELECT page.*, traded.code, lines.currency, lines.available, lines.frozen, lines.owned, lines.futures, coalesce(lines.balance, (
            SELECT earlier.balance_after FROM entry AS earlier
            WHERE earlier.pocket_id = (SELECT id FROM pocket WHERE member_id = ${memberId} AND kind = 'available' AND currency = lines.currency)
              AND earlier.tx_id < page.id
            ORDER BY earlier.tx_id DESC LIMIT 1
          ), 0) AS balance
        FROM page CROSS JOIN LATERAL (
          SELECT pocket.currency, coalesce(sum(amount) FILTER (WHERE pocket.kind = 'available'), 0)::bigint AS available,
            coalesce(sum(amount) FILTER (WHERE pocket.kind = ANY (${FROZEN_POCKETS}::text[])), 0)::bigint AS frozen,
            coalesce(sum(amount) FILTER (WHERE pocket.kind = ANY (${OWNED_POCKETS}::text[])), 0)::bigint AS owned,
            max(balance_after) FILTER (WHERE pocket.kind = 'available') AS balance,
            max(balance_after) FILTER (WHERE pocket.kind = 'futures') AS futures
          FROM entry JOIN pocket ON pocket.id = entry.pocket_id WHERE entry.tx_id = page.id AND pocket.member_id = ${memberId}
          GROUP BY pocket.currency
        ) AS lines
        LEFT JOIN "order" AS traded ON traded.order_no = page.order_no
        ORDER BY page.id DESC, lines.currency`.execute(db.kysely);
      // A transaction in two currencies is two entries, and a page holds all entries of its transactions.
      const ids = [...new Set(rows.map(({ id }) => id))];
      const last = ids[PAGE_SIZE - 1];
      const items = rows.filter(({ id }) => last === undefined || id >= last).map(toFlow);
      return { items, next: ids.length > PAGE_SIZE && last !== undefined ? flowNoOf(last) : null };
    },
  };
}
