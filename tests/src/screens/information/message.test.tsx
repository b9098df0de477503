/** The message page: while it loads, its skeleton has the position of the text; a notice leads to its screen. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { Message } from "#contract/message.ts";
import { MessagePage } from "#src/screens/information/message.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { held, setUpHarness } from "#tests/src/streams/harness.tsx";
import { one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

i18next.use(initReactI18next);
setUpHarness();

let shown: Shown;
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});
afterEach(() => shown.gone());

/** The style classes of an element and all around it, up to the screen's body. */
const classesAround = (element: Element | null): string[] =>
  element === null || element.hasAttribute("data-scroll") ? [] : [element.className, ...classesAround(element.parentElement)];

/** Waits for what happens outside React: a timer, the broker's answer. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

it("has the same margins as the message", async () => {
  const { gate, open } = held();
  const message = Message.parse({ id: "M1", at: 1, kind: "welcome", read: true, alert: null });
  mock("readMessage", async () => {
    await gate;
    return accepted({ message, unread: 0 });
  });
  shown = await show(<MessagePage />, "/information/msgInfo?id=M1");
  await settled(() => document.querySelector("[data-shape=text]"));
  const around = classesAround(one(document, "[data-shape=text]").parentElement);
  expect(around).not.toEqual([]);
  open();
  await settled(() => document.querySelector("article h2"));
  expect(classesAround(one(document, "article h2").parentElement)).toEqual(around);
});

it.each([
  ["agentWaiting", {}, "The reviewer has a question about your agent application", "/information/agent"],
  ["seatSuccess", {}, "Your seat account is open", "/information/seat"],
  ["voucherExpired", { count: "2", amount: "20.00" }, "Fee vouchers expired: 2", "/home/checkIn"],
  ["rebatePaid", { month: "2026-06", amount: "12.00" }, "Rebates for 2026-06: NT$12.00", "/information/agent"],
] as const)("a notice of %s says so and leads to its screen", async (about, values, title, route) => {
  const message = Message.parse({ id: "M2", at: 1, kind: "notice", read: true, alert: null, notice: { about, values } });
  mock("readMessage", () => accepted({ message, unread: 0 }));
  shown = await show(<MessagePage />, "/information/msgInfo?id=M2");
  await settled(() => document.querySelector("article h2")?.textContent === title);
  expect(one(document, "article a").getAttribute("href")).toBe(route);
});
