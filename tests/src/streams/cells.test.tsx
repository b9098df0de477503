// @vitest-environment happy-dom
/** Tests live cells: React renders a cell once, frames write it, flashes appear and clear, and the worker knows which cells are on screen. */
import { act, Profiler, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clearCells, paintCells } from "#src/streams/cells.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { until } from "#tests/support/until.ts";
import { fakeWorker } from "./fake-worker.ts";
import type { FakeWorker } from "./fake-worker.ts";

const UP = 1;
const DOWN = 2;
const FLASH_UP = 1 << 2;

let worker: FakeWorker;
let root: Root;
let host: HTMLElement;
let rendered = 0;

function Counted({ code }: { code: string }) {
  return (
    <Profiler id={code} onRender={() => (rendered += 1)}>
      <QuoteCell code={code} field="last" className="price" as="b" />
    </Profiler>
  );
}

function Some({ codes }: { codes: string[] }) {
  return codes.map((code, at) => <Counted key={codes.length * 10 + at} code={code} />);
}

const cell = (): HTMLElement => host.querySelector("b") ?? document.createElement("b");
const mounted = (): (number | string)[] => worker.received.flatMap((message) => (message.kind === "cells" ? message.mount : []));
const unmounted = (): number[] => worker.received.flatMap((message) => (message.kind === "cells" ? message.unmount : []));

async function show(element: React.ReactNode): Promise<void> {
  await act(async () => root.render(element));
}

async function showAndFindId(code: string): Promise<number> {
  await show(<Counted code={code} />);
  await until(() => mounted().includes(code));
  return Number(mounted()[mounted().indexOf(code) - 1]);
}

beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }));

beforeEach(async () => {
  worker = fakeWorker();
  await marketApi();
  host = document.createElement("div");
  document.body.append(host);
  root = createRoot(host);
  rendered = 0;
});

afterEach(async () => {
  vi.useRealTimers();
  await act(async () => root.unmount());
  host.remove();
  clearCells();
});

describe("a quote cell", () => {
  it("shows -- first, is mounted at the worker, and is written without rendering", async () => {
    const id = await showAndFindId("2330");
    expect([cell().textContent, cell().dataset["d"], cell().className]).toEqual(["--", "flat", "price"]);
    const text = cell().firstChild;
    worker.frame({ cells: [id, "1,085.00", UP] });
    await until(() => cell().textContent === "1,085.00");
    expect(cell().dataset["d"]).toBe("up");
    expect(cell().firstChild).toBe(text);
    const acked = (): number => worker.received.filter(({ kind }) => kind === "acked").length;
    expect(acked()).toBe(0);
    // Only a frame that asks is acknowledged, for itself and the frames before it.
    worker.frame({ cells: [id, "1,090.00", UP] });
    worker.frame({ cells: [id, "1,095.00", UP], asks: true });
    await until(() => acked() === 1);
    expect(cell().textContent).toBe("1,095.00");
    expect(rendered).toBe(1);
  });

  it("keeps its text when its parent renders again", async () => {
    const id = await showAndFindId("2331");
    worker.frame({ cells: [id, "10.00", DOWN] });
    await until(() => cell().textContent === "10.00");
    await show(<Counted code="2331" />);
    expect([rendered, cell().textContent, cell().dataset["d"]]).toEqual([2, "10.00", "down"]);
  });

  it("shows another instrument when its code changes, at once when its text is known", async () => {
    const first = await showAndFindId("1111");
    worker.frame({ cells: [first, "11.00", UP] });
    await until(() => cell().textContent === "11.00");
    await showAndFindId("2222");
    expect([cell().textContent, cell().dataset["d"]]).toEqual(["--", "flat"]);
    await until(() => unmounted().includes(first));
    await show(<Counted code="1111" />);
    expect([cell().textContent, cell().dataset["d"]]).toEqual(["11.00", "up"]);
  });

  it("is one cell to the worker even if several nodes show it, also in strict mode", async () => {
    await show(
      <StrictMode>
        <QuoteCell code="3333" field="last" />
        <QuoteCell code="3333" field="last" />
        <QuoteCell code="3333" field="volume" />
      </StrictMode>,
    );
    await until(() => mounted().length > 0);
    expect(mounted().filter((each) => each === "3333")).toHaveLength(2);
    expect(unmounted()).toEqual([]);
    const id = Number(mounted()[0]);
    worker.frame({ cells: [id, "5.00", 0] });
    await until(() => [...host.querySelectorAll("span")].filter(({ textContent }) => textContent === "5.00").length === 2);
  });

  it("mounts and unmounts in one message, and sends none when it only moved", async () => {
    await show(<Some codes={["4444", "5555"]} />);
    await until(() => mounted().includes("5555"));
    expect(worker.received.filter(({ kind }) => kind === "cells")).toHaveLength(1);
    // With new keys every node is replaced, but the value of 5555 stays on screen.
    await show(<Some codes={["5555"]} />);
    await until(() => unmounted().length > 0);
    expect(unmounted()).toEqual([mounted()[0]]);
  });

  it("flashes briefly, not in a busy frame, and at most three times a second", async () => {
    const id = await showAndFindId("6666");
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    vi.advanceTimersByTime(10_000);
    paintCells([id, "1.00", UP | FLASH_UP]);
    expect(cell().dataset["f"]).toBe("up");
    vi.advanceTimersByTime(460);
    expect(cell().dataset["f"]).toBeUndefined();
    paintCells([id, "2.00", UP | FLASH_UP]);
    expect([cell().textContent, cell().dataset["f"]]).toEqual(["2.00", undefined]);
    vi.advanceTimersByTime(1_000);
    paintCells([id, "3.00", UP | FLASH_UP, ...Array.from({ length: 60 }, (_, at) => (at % 3 === 1 ? "x" : 900_000))]);
    expect([cell().textContent, cell().dataset["f"]]).toEqual(["3.00", undefined]);
    paintCells([id, "4.00", UP | FLASH_UP]);
    expect([cell().textContent, cell().dataset["f"]]).toEqual(["4.00", "up"]);
  });

  it("shows values of one position or of all positions", async () => {
    await show(
      <>
        <ProfitCell orderNo="K000000000001" field="profit" />
        <ProfitCell orderNo={null} field="returnRate" as="b" />
      </>,
    );
    await until(() => mounted().includes("total"));
    worker.frame({ cells: [Number(mounted()[3]), "▲ 1.88%", UP] });
    await until(() => cell().textContent === "▲ 1.88%");
  });

  it("is reset when the session ends", async () => {
    const id = await showAndFindId("7777");
    worker.frame({ cells: [id, "7.00", UP] });
    await until(() => cell().textContent === "7.00");
    clearCells();
    expect([cell().textContent, cell().dataset["d"]]).toEqual(["--", "flat"]);
  });
});
