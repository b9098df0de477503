/** Handlers of the wallets: balances by currency, transfers, and the ledger lines behind balances and movements. */
import type { BrokerPocket } from "#server/ledger/pocket.ts";
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { CURRENCIES } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { POCKETS } from "#contract/wallet.ts";
import type { CurrencyBalance, Pocket, PocketEntry } from "#contract/wallet.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { transfer } from "#server/accounts/transfer.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { OWNED_POCKETS, WALLET_POCKETS } from "#server/ledger/pocket.ts";
import { midRateOf, valueInHome } from "#server/trading/clearing/mid-rates.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { flowIdOf, flowNoOf } from "./flow-number.ts";
import type { Handlers } from "./handler.ts";
import { pageFrom } from "./page.ts";

export interface WalletHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

interface BalanceRow {
  kind: Pocket;
  currency: Currency;
  balance: number;
}
interface EntryRow {
  tx_id: number;
  line: number;
  at: number;
  kind: CashEntryKind;
  amount: number;
  balance_after: number;
  order_no: string | null;
  code: string | null;
  series: string | null;
}
interface LineRow {
  line: number;
  member_id: number | null;
  pocket: string;
  currency: Currency;
  amount: number;
  balance_after: number | null;
}

const TEN_MILLION = 10_000_000;
const midNumber = ({ numerator, denominator }: MidRate): number => Math.round((numerator / denominator) * TEN_MILLION);

function balanceOf(venue: Venue, currency: Currency, rows: readonly BalanceRow[]): CurrencyBalance {
  const held = new Map(rows.filter((row) => row.currency === currency).map(({ kind, balance }) => [kind, balance]));
  const always = new Set<string>(WALLET_POCKETS);
  const owned = new Set<string>(OWNED_POCKETS);
  const total = [...held].reduce((sum, [kind, balance]) => sum + (owned.has(kind) ? balance : 0), 0);
  const mid = midRateOf(venue, currency);
  return {
    currency,
    pockets: POCKETS.filter((pocket) => always.has(pocket) || (held.get(pocket) ?? 0) !== 0).map((pocket) => ({
      pocket,
      balanceCents: cents(held.get(pocket) ?? 0),
    })),
    totalCents: cents(total),
    homeCents: mid ? valueInHome(venue, currency, total) : null,
    midTenMillionths: mid ? midNumber(mid) : null,
  };
}

const toEntry = (row: EntryRow): PocketEntry => ({
  flowNo: flowNoOf(row.tx_id),
  line: row.line,
  at: epochMs(row.at),
  kind: row.kind,
  amountCents: cents(row.amount),
  balanceCents: cents(row.balance_after),
  orderNo: row.order_no as OrderNo | null,
  code: row.code as Code | null,
  series: row.series,
});

/** `<flow number>.<line>` of the last entry of a page. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
function readCursor(cursor: string | null): [id: number | null, line: number | null] {
  if (cursor === null) return [null, null];
  const [flow = "", line = ""] = cursor.split(".");
  if (!/^\d{1,5}$/.test(line)) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return [flowIdOf(flow, "cursor"), Number(line)];
}

const ENTRIES = `
SELECT entry.tx_id, entry.line, ledger_tx.at, ledger_tx.kind, entry.amount, entry.balance_after, ledger_tx.order_no, ledger_tx.series, traded.code
FROM entry JOIN ledger_tx ON ledger_tx.id = entry.tx_id LEFT JOIN "order" AS traded ON traded.order_no = ledger_tx.order_no
WHERE entry.pocket_id = (SELECT id FROM pocket WHERE member_id = $1 AND kind = $2 AND currency = $3)
  AND ($4::bigint IS NULL OR (entry.tx_id, entry.line) < ($4::bigint, $5::smallint))
ORDER BY entry.tx_id DESC, entry.line DESC LIMIT ${PAGE_SIZE + 1}`;

const LINES = `
SELECT entry.line, pocket.member_id, pocket.kind AS pocket, pocket.currency, entry.amount, entry.balance_after
FROM entry JOIN pocket ON pocket.id = entry.pocket_id WHERE entry.tx_id = $1 ORDER BY entry.line`;

/** What the database and the market's rates alone answer. */
export function walletReads({
  db,
  venue,
  now,
}: Omit<WalletHandlerDeps, "sequencer">): Pick<Handlers, "readWallets" | "listPocketEntries" | "readFlow"> {
  return {
    async readWallets({ caller: { memberId } }) {
      const rows = await query<BalanceRow>(db.kysely, "SELECT kind, currency, balance FROM pocket WHERE member_id = $1", [memberId]);
      return { balances: CURRENCIES.map((currency) => balanceOf(venue, currency, rows)), at: epochMs(now()) };
    },
    async listPocketEntries({ caller: { memberId } }, { currency, pocket, cursor }) {
      const [id, line] = readCursor(cursor);
      const rows = await query<EntryRow>(db.kysely, ENTRIES, [memberId, pocket, currency, id, line]);
      return pageFrom(rows, toEntry, ({ flowNo, line }) => `${flowNo}.${line}`);
    },
    async readFlow({ caller: { memberId } }, { flowNo }) {
      const id = flowIdOf(flowNo, "flowNo");
      const flow = await db.kysely.selectFrom("ledger_tx").selectAll().where("id", "=", id).executeTakeFirst();
      const rows = await query<LineRow>(db.kysely, LINES, [id]);
      // Another member's side of it is nobody else's business; today no transaction has two members.
      const foreign = rows.some(({ member_id }) => member_id !== null && member_id !== memberId);
      if (flow?.member_id !== memberId || foreign) throw new Refusal("GEN_NOT_FOUND");
      const lines = rows.map((row) => ({
        line: row.line,
        currency: row.currency,
        pocket: row.member_id === null ? null : (row.pocket as Pocket),
        broker: row.member_id === null ? (row.pocket as BrokerPocket) : null,
        amountCents: cents(row.amount),
        balanceCents: row.balance_after === null ? null : cents(row.balance_after),
      }));
      return { flowNo, kind: flow.kind, at: epochMs(flow.at), orderNo: flow.order_no as OrderNo | null, series: flow.series, lines };
    },
  };
}

export function walletHandlers(
  deps: WalletHandlerDeps,
): Pick<Handlers, "readWallets" | "transferFunds" | "listPocketEntries" | "readFlow"> {
  const { sequencer } = deps;
  return {
    ...walletReads(deps),
    transferFunds: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "transferFunds",
        memberId,
        body,
        prepare: async (tx, batch) => {
          await readFutures(tx, batch, memberId);
          await batch.ledger.openWallets(tx, [memberId], [body.currency]);
        },
        decide: (batch) => {
          checkEligible("transfer", batch.member(memberId));
          return transfer(batch, memberId, body);
        },
      }),
  };
}
