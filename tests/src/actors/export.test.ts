/** CSV export: cell formats, and that the file contains every page of a list. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { beforeAll, describe, expect, it, vi } from "vitest";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { codeCell, csvOf, moneyCell, priceCell, timeCell, wordCell } from "#src/actors/csv.ts";
import { exportFills, exportFlows, exportOrders, exportPositions } from "#src/actors/export.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { until } from "#tests/support/until.ts";

const saved = vi.hoisted(() => ({ files: [] as { name: string; type: string; text: string }[] }));
vi.mock("#src/gateway/shell.ts", async (real) => ({
  ...(await real<object>()),
  saveFile: (name: string, type: string, text: string) => void saved.files.push({ name, type, text }),
}));

let worker: FakeWorker;

setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});

const flow = (nth: number, over: Partial<CashEntry> = {}): CashEntry => ({
  flowNo: `F${nth}`,
  at: epochMs(Date.UTC(2026, 2, 1, 16, 5, 9)),
  kind: "fee",
  currency: "TWD",
  amountCents: cents(-2000),
  availableCents: cents(-2000),
  frozenCents: cents(0),
  balanceCents: cents(123_456_789),
  orderNo: null,
  code: null,
  series: null,
  futuresWalletCents: null,
  ...over,
});

describe("a cell", () => {
  it("formats money and prices as plain decimals with an ASCII minus", () => {
    expect([0, 5, -5, -123_456, 100_000_000_000].map(moneyCell)).toEqual(["0.00", "0.05", "-0.05", "-1234.56", "1000000000.00"]);
    expect([null, 1, 10_850_000].map(priceCell)).toEqual(["", "0.0001", "1085.0000"]);
  });

  it("formats times in Taipei time as spreadsheets of every language read them", () => {
    expect(timeCell(Date.UTC(2026, 2, 1, 16, 5, 9))).toBe("2026-03-02 00:05:09");
    expect(timeCell(null)).toBe("");
  });

  it("is never a formula, except a code that would lose its zeros", () => {
    expect(["=1+1", "+a", "-a", "@sum", "\tx", "台積電", "a=b"].map(wordCell)).toEqual([
      "'=1+1",
      "'+a",
      "'-a",
      "'@sum",
      "'\tx",
      "台積電",
      "a=b",
    ]);
    expect(codeCell("0050")).toBe('="0050"');
    expect(codeCell('0"&cmd')).toBe('0"&cmd');
    expect(codeCell("=cmd")).toBe("'=cmd");
  });

  it("is quoted where necessary, in a file with a byte order mark and CRLF", () => {
    expect(
      csvOf(
        ["a", "b"],
        [
          ["1,2", 'say "x"'],
          ["two\nlines", '="0050"'],
        ],
      ),
    ).toBe('\uFEFFa,b\r\n"1,2","say ""x"""\r\n"two\nlines","=""0050"""\r\n');
  });
});

describe("the cash ledger export", () => {
  it("contains every page of the filtered entries", async () => {
    saved.files.length = 0;
    mock("listFlows", (body) =>
      accepted(
        body.cursor === null
          ? { items: [flow(2), flow(1, { kind: "deposit", amountCents: cents(1_000_000) })], next: "F1" }
          : { items: [flow(0, { kind: "optionTrade", series: "TXO-2026-12-C-23000", futuresWalletCents: cents(700) })], next: null },
      ),
    );
    expect(await exportFlows({ kinds: ["fee"], from: epochMs(1), until: null })).toBe(true);
    expect(bodies("listFlows")).toEqual([
      { kinds: ["fee"], from: 1, until: null, cursor: null },
      { kinds: ["fee"], from: 1, until: null, cursor: "F1" },
    ]);
    const [file] = saved.files;
    expect(file?.name).toMatch(/^kuroshio-flow-\d{8}\.csv$/);
    expect(file?.type).toBe("text/csv;charset=utf-8");
    expect(file?.text.split("\r\n")).toEqual([
      "\uFEFFTime,Number,Kind,Amount,Change in available,Change in funds on hold,Available after,Currency,Order,Future or option,Futures wallet after",
      "2026-03-02 00:05:09,F2,Fee,-20.00,-20.00,0.00,1234567.89,TWD,,,",
      "2026-03-02 00:05:09,F1,Deposit,10000.00,-20.00,0.00,1234567.89,TWD,,,",
      "2026-03-02 00:05:09,F0,Options trade,-20.00,-20.00,0.00,1234567.89,TWD,,TXO-2026-12-C-23000,7.00",
      "",
    ]);
  });

  it("saves no file and shows a toast when a page is missing", async () => {
    saved.files.length = 0;
    mock("listFlows", (body) => (body.cursor === null ? accepted({ items: [flow(2)], next: "F2" }) : refused("GEN_SYSTEM_BUSY")));
    expect(await exportFlows({ kinds: null, from: null, until: null })).toBe(false);
    expect(saved.files).toEqual([]);
    expect(toasts).toContain("The file could not be made. Please try again.");
  });
});

describe("the orders", () => {
  it("tell where a position came from that was not bought in the market", async () => {
    const orders = [orderOf({ orderNo: "K100000000002", origin: "subscription" }), orderOf({ origin: "bid" }), orderOf()];
    mock("listOrders", () => accepted({ items: orders, next: null }));
    expect(await exportOrders()).toBe(true);
    const [heading, ...lines] = saved.files.at(-1)?.text.trim().split("\r\n") ?? [];
    expect([heading, ...lines].map((line) => line?.split(",").at(-1))).toEqual(["Origin", "Subscription", "Competitive auction", ""]);
    expect(new Set([heading, ...lines].map((line) => line?.split(",").length)).size).toBe(1);
  });
});

describe("the executions", () => {
  it("tell what each one realised, and nothing of those that opened a position", async () => {
    const order = orderOf();
    const fill = {
      at: order.placedAt,
      price: price(10_000_000),
      lots: 1,
      feeCents: cents(20_00),
      taxCents: cents(30_00),
      level: 1,
      best: price(10_000_000),
    };
    const opened = { ...fill, side: "open", reason: "bookLevel", profitCents: cents(0) } as const;
    const closed = { ...fill, side: "close", reason: "bookLevel", profitCents: cents(-14_500_50) } as const;
    mock("listOrders", () => accepted({ items: [order], next: null }));
    mock("readOrder", () => accepted({ order, fills: [opened, closed], adjustments: [], events: [] }));
    expect(await exportFills()).toBe(true);
    const lines = saved.files.at(-1)?.text.trim().split("\r\n") ?? [];
    expect(lines.map((line) => line.split(",").at(-2))).toEqual(["Realised profit/loss", "", "-14500.50"]);
  });
});

/** The worker's answer to each watcher of a position's profit. */
async function valued(key: string, last: number, profit: { profitCents: number; returnBasisPoints: number } | null): Promise<void> {
  await until(() => worker.received.some((message) => message.kind === "watching" && message.watching.profits.includes(key)));
  worker.frame({ profits: [{ key, price: last, profit }] as never });
}

describe("the positions", () => {
  it("are one line each, with the sums of their orders", async () => {
    const two = orderOf({
      orderNo: "K100000000002",
      filledLots: 1,
      openCents: 110_000_000,
      loanCents: 5_00,
      status: "readyToClose",
      closingLots: 1,
    });
    mock("listPositions", () => accepted({ positions: [two, orderOf({ loanCents: 7_00 })] }));
    const exporting = exportPositions();
    await valued("2330:rise:cash", 10_285_000, { profitCents: -14_500_50, returnBasisPoints: -47 });
    expect(await exporting).toBe(true);
    const [heading, line, ...more] = saved.files.at(-1)?.text.split("\r\n") ?? [];
    expect(more).toEqual([""]);
    const cells = line?.split(",") ?? [];
    expect(cells.slice(5, -3)).toEqual(["1033.3333", "12.00", "0.00", "3000", "2000", "3100000.00", "2"]);
    expect(heading?.split(",").slice(-3)).toEqual(["Last price", "Unrealised profit/loss", "Profit/loss %"]);
    // What the screens show, from the same place.
    expect(cells.slice(-3)).toEqual(["1028.5000", "-14500.50", "-0.47%"]);
  });

  it("have no profit without a market price, and are no shares when they are coins", async () => {
    mock("listPositions", () =>
      accepted({ positions: [orderOf({ code: "BTC", lotShares: 1, unitsPerWhole: 100_000_000, openCents: 4_600 })] }),
    );
    const exporting = exportPositions();
    await valued("BTC:rise:cash", 0, null);
    expect(await exporting).toBe(true);
    const cells = saved.files.at(-1)?.text.split("\r\n")[1]?.split(",") ?? [];
    expect(cells[3]).toBe("Spot");
    expect(cells.slice(-4)).toEqual(["1", "", "", ""]);
  });
});
