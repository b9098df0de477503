/** Exports a member's cash ledger, orders, executions and positions as complete CSV files. */
import i18next from "i18next";
import { firstValueFrom, of, timeout } from "rxjs";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { nameIn } from "#contract/instrument.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { Order, OrderDetail, OrderStatus } from "#contract/order.ts";
import { isCoin, ORDER_STATUSES } from "#contract/order.ts";
import { positionsOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { saveFile } from "#src/gateway/shell.ts";
import { cashLedgerPage } from "#src/streams/cash-ledger.ts";
import type { CashLedgerFilter } from "#src/streams/cash-ledger.ts";
import { instrumentOf } from "#src/streams/instruments.ts";
import { profit$ } from "#src/streams/profits.ts";
import type { ProfitUpdate } from "#src/streams/worker.ts";
import { typedUnits } from "#contract/kernel/money.ts";
import { codeCell, csvOf, moneyCell, percentCell, priceCell, timeCell, wordCell } from "./csv.ts";
import type { Cell } from "./csv.ts";

/** Loads the texts of the files; without them the headings are their keys. */
const texts = async (): Promise<void> => void (await Promise.allSettled([loadTranslations("account"), loadTranslations("block")]));

type Page<Item> = Outcome<{ items: Item[]; next: string | null }>;

/** Loads every page of a list, in order; null when one of them fails. */
export async function allPages<Item>(load: (cursor: string | null) => Promise<Page<Item>>): Promise<Item[] | null> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await load(cursor);
    if (!page.ok) return null;
    items.push(...page.data.items);
    cursor = page.data.next;
  } while (cursor !== null);
  return items;
}

/** Save a table as a file, or show that it could not be read. @returns whether there was a table */
export function saveTable(name: string, heading: readonly string[], rows: readonly (readonly Cell[])[] | null): boolean {
  if (rows === null) {
    showToast(i18next.t("export.failed"), "danger");
    return false;
  }
  saveFile(`kuroshio-${name}-${formatDate(Date.now()).replaceAll(".", "")}.csv`, "text/csv;charset=utf-8", csvOf(heading, rows));
  return true;
}

const FLOW_COLUMNS = [
  "time",
  "number",
  "kind",
  "amount",
  "available",
  "frozen",
  "balance",
  "currency",
  "order",
  "series",
  "futuresWallet",
] as const;

/** Export the cash ledger entries that match a filter. */
export async function exportFlows(filter: CashLedgerFilter): Promise<boolean> {
  await texts();
  const flows = await allPages<CashEntry>((cursor) => cashLedgerPage(filter, cursor));
  const heading = FLOW_COLUMNS.map((key) => i18next.t(`export.flow.${key}`));
  const rows = flows?.map((flow): Cell[] => [
    timeCell(flow.at),
    wordCell(flow.flowNo),
    wordCell(i18next.t(`information.flow.kind.${flow.kind}`)),
    moneyCell(flow.amountCents),
    moneyCell(flow.availableCents),
    moneyCell(flow.frozenCents),
    moneyCell(flow.balanceCents),
    wordCell(flow.currency),
    wordCell(flow.orderNo ?? ""),
    wordCell(flow.series ?? ""),
    flow.futuresWalletCents === null ? "" : moneyCell(flow.futuresWalletCents),
  ]);
  return saveTable("flow", heading, rows ?? null);
}

const ORDER_COLUMNS = [
  "time",
  "order",
  "code",
  "name",
  "direction",
  "market",
  "funding",
  "dayTrade",
  "status",
  "reserved",
  "units",
  "unitShares",
  "limit",
  "filled",
  "closed",
  "openAverage",
  "closeAverage",
  "fee",
  "tax",
  "loan",
  "interest",
  "profit",
  "cause",
  "origin",
] as const;

const nameOf = (code: string): string => {
  const instrument = instrumentOf(code);
  return instrument ? nameIn(i18next.language, instrument) : code;
};

/** A quantity: whole units, or coins with their decimals. */
const unitsCell = (units: number, { unitsPerWhole }: Pick<Order, "unitsPerWhole">): Cell => typedUnits(units, unitsPerWhole);

function fundingOf(order: Order): string {
  if (isCoin(order)) return i18next.t("position.coin");
  return order.funding === "leverage" ? `${order.leverage}×` : i18next.t(`ticket.funding.${order.funding}`);
}

function orderCells(order: Order): Cell[] {
  return [
    timeCell(order.placedAt),
    wordCell(order.orderNo),
    codeCell(order.code),
    wordCell(nameOf(order.code)),
    wordCell(i18next.t(`ticket.${order.direction}`)),
    isCoin(order) ? "" : wordCell(i18next.t(`ticket.at.${order.market}`)),
    wordCell(fundingOf(order)),
    order.dayTrade ? wordCell(i18next.t("order.yes")) : "",
    wordCell(i18next.t(order.reservedFor === undefined ? `status.order.${order.status}` : "order.reserved")),
    order.reservedFor === undefined ? "" : timeCell(order.reservedFor),
    unitsCell(order.lots, order),
    String(order.lotShares),
    priceCell(order.price),
    unitsCell(order.filledLots, order),
    unitsCell(order.closedLots, order),
    priceCell(order.openAverage),
    priceCell(order.closeAverage),
    moneyCell(order.openFeeCents + order.closeFeeCents),
    moneyCell(order.openTaxCents + order.closeTaxCents),
    moneyCell(order.loanCents),
    moneyCell(order.interestCents),
    moneyCell(order.profitCents),
    order.closeCause === null ? "" : wordCell(i18next.t(`order.cause.${order.closeCause}`)),
    order.origin === undefined ? "" : wordCell(i18next.t(`block.origin.${order.origin}`)),
  ];
}

const orderHeading = (): string[] => ORDER_COLUMNS.map((key) => i18next.t(`export.order.${key}`));

const readOrders = (statuses: readonly OrderStatus[]): Promise<Order[] | null> =>
  allPages<Order>((cursor) => call("listOrders", { statuses: [...statuses], cursor }, { shownByCaller: true }));

/** Export the member's orders in the given statuses, by default all. */
export async function exportOrders(statuses: readonly OrderStatus[] = ORDER_STATUSES): Promise<boolean> {
  await texts();
  const orders = await readOrders(statuses);
  return saveTable("orders", orderHeading(), orders?.map(orderCells) ?? null);
}

const POSITION_COLUMNS = ["code", "name", "direction", "funding", "dayTrade", "openAverage", "loan", "interest"] as const;
const POSITION_SIZES = ["shares", "closableShares", "openValue", "orders", "last", "profit", "return"] as const;
/** How long a position's profit is waited for; without a market price its cells stay empty. */
const PROFIT_MS = 2_000;

const profitNow = (id: string): Promise<ProfitUpdate | null> =>
  firstValueFrom(profit$(id).pipe(timeout({ first: PROFIT_MS, with: () => of(null) })));

async function positionCells({ code, direction, funding, dayTrade, orders, ...position }: Position): Promise<Cell[]> {
  const { price, profit } = (await profitNow(position.id)) ?? { price: 0, profit: null };
  const sum = (amountOf: (order: Order) => number): number => orders.reduce((total, order) => total + amountOf(order), 0);
  return [
    codeCell(code),
    wordCell(nameOf(code)),
    wordCell(i18next.t(`ticket.${direction}`)),
    wordCell(isCoin(position) ? i18next.t("position.coin") : i18next.t(`trade.funding.${funding}`)),
    dayTrade ? wordCell(i18next.t("order.yes")) : "",
    priceCell(position.averagePrice),
    moneyCell(sum(({ loanCents }) => loanCents)),
    moneyCell(sum(({ interestCents }) => interestCents)),
    unitsCell(position.shares, position),
    unitsCell(position.closableShares, position),
    moneyCell(position.openCents),
    String(orders.length),
    priceCell(price > 0 ? price : null),
    profit ? moneyCell(profit.profitCents) : "",
    profit ? percentCell(profit.returnBasisPoints) : "",
  ];
}

/** Export the member's positions, one line for each, with the profit shown on the screens; their orders are in the file of orders. */
export async function exportPositions(): Promise<boolean> {
  await texts();
  const outcome = await call("listPositions", {}, { shownByCaller: true });
  const heading = [
    ...POSITION_COLUMNS.map((key) => i18next.t(`export.order.${key}`)),
    ...POSITION_SIZES.map((key) => i18next.t(`export.position.${key}`)),
  ];
  return saveTable("positions", heading, outcome.ok ? await Promise.all(positionsOf(outcome.data.positions).map(positionCells)) : null);
}

const FILL_COLUMNS = ["time", "order", "code", "name", "side", "units", "unitShares", "price", "fee", "tax", "profit", "reason"] as const;

function fillCells(order: Order, fill: OrderDetail["fills"][number]): Cell[] {
  return [
    timeCell(fill.at),
    wordCell(order.orderNo),
    codeCell(order.code),
    wordCell(nameOf(order.code)),
    wordCell(i18next.t(`order.side.${order.direction}.${fill.side}`)),
    unitsCell(fill.lots, order),
    String(order.lotShares),
    priceCell(fill.price),
    moneyCell(fill.feeCents),
    moneyCell(fill.taxCents),
    // Only a closing execution realises a profit.
    fill.side === "close" && fill.profitCents !== undefined ? moneyCell(fill.profitCents) : "",
    wordCell(i18next.t(`export.reason.${fill.reason}`)),
  ];
}

/** Export every execution of every order, newest order first. */
export async function exportFills(): Promise<boolean> {
  await texts();
  const heading = FILL_COLUMNS.map((key) => i18next.t(`export.fill.${key}`));
  const orders = await readOrders(ORDER_STATUSES);
  const rows: Cell[][] = [];
  for (const { orderNo } of orders?.filter(({ filledLots }) => filledLots > 0) ?? []) {
    const detail = await call("readOrder", { orderNo }, { shownByCaller: true });
    if (!detail.ok) return saveTable("fills", heading, null);
    rows.push(...detail.data.fills.map((fill) => fillCells(detail.data.order, fill)));
  }
  return saveTable("fills", heading, orders && rows);
}
