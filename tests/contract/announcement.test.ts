/** Announcements: what each fact tells the member, its words in every language, and bursts that become few lines. */
import { readFileSync } from "node:fs";
import i18next from "i18next";
import { describe, expect, it, test } from "vitest";
import { announcementOf, announcementWords } from "#contract/announcement.ts";
import { keyOf } from "#contract/announcement-key.ts";
import { routeOf } from "#contract/announcement-route.ts";
import type { Announcement, Reader } from "#contract/announcement.ts";
import { linesOf, withAnnouncement } from "#contract/announcement-burst.ts";
import type { Told } from "#contract/announcement-burst.ts";
import { joinReports } from "#contract/execution-report.ts";
import type { ExecutionReport } from "#contract/execution-report.ts";
import { MENTOR_STRATEGIES } from "#contract/copy.ts";
import type { Fact, OrderFact } from "#contract/fact.ts";
import type { Instrument } from "#contract/instrument.ts";
import { CANCEL_CAUSES } from "#contract/cancel-cause.ts";
import { CLOSE_CAUSES } from "#contract/order.ts";
import type { Fill, Order } from "#contract/order.ts";
import { PUSH_LANGUAGES } from "#contract/push-subscription.ts";
import type { PushLanguage } from "#contract/push-subscription.ts";
import { STRATEGIES } from "#contract/strategy.ts";
import type { Strategy } from "#contract/strategy.ts";
import { knownPath } from "#src/routes.tsx";

const TSMC = { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC", decimals: 2 } as Instrument;
const instrumentOf = (code: string): Instrument | undefined => (code === "2330" ? TSMC : undefined);

const readers = Object.fromEntries(
  await Promise.all(
    PUSH_LANGUAGES.map(async (language) => {
      const translation = JSON.parse(readFileSync(`locales/${language}.json`, "utf8")) as object;
      const dictionary = i18next.createInstance();
      await dictionary.init({ lng: language, resources: { [language]: { translation } }, interpolation: { escapeValue: false } });
      const reader: Reader = { language, instrument: TSMC, t: (key, values) => dictionary.t(key, { ...values }) };
      return [language, reader] as const;
    }),
  ),
) as Record<PushLanguage, Reader>;

const ORDER = { orderNo: "K100000000001", code: "2330", direction: "rise", lots: 5, lotShares: 1000, filledLots: 0, closingLots: 0 };
const fill = (lots: number, price: number, side: Fill["side"] = "open"): Partial<Fill> => ({
  lots,
  price: (price * 10_000) as Fill["price"],
  side,
});

function orderFact(type: OrderFact["type"], order: Partial<Order>, also: object = {}): Fact {
  return { n: 1, at: 1, type, order: { ...ORDER, ...order }, fills: [], money: {}, ...also } as unknown as Fact;
}

const BASE: ExecutionReport = {
  kind: "filled",
  orderNo: "K100000000001" as Order["orderNo"],
  code: "2330" as Order["code"],
  side: "buy",
  lots: 2,
  left: 0,
  lotShares: 1000,
  price: 10_350_000 as Order["openAverage"],
  cause: null,
  exit: null,
};
const told = (over: Partial<ExecutionReport>): Announcement => ({ kind: "report", report: { ...BASE, ...over } });
const title = (announcement: Announcement, language: PushLanguage = "zh-TW"): string =>
  announcementWords(announcement, readers[language]).title;

describe("a fact", () => {
  it.each([
    ["rise", "open", "台積電 買進成交 2張 @ 1,035.00"],
    ["fall", "open", "台積電 放空成交 2張 @ 1,035.00"],
    ["rise", "close", "台積電 賣出成交 2張 @ 1,035.00"],
    ["fall", "close", "台積電 回補成交 2張 @ 1,035.00"],
  ] as const)("of a fill, direction %s, side %s, reads %s", (direction, side, words) => {
    const order = side === "open" ? { lots: 2, filledLots: 2 } : { filledLots: 2, closedLots: 2 };
    const fact = orderFact(
      side === "open" ? "order.filled" : "order.closed",
      { direction, ...order },
      {
        fills: [fill(1, 1034, side), fill(1, 1036, side)],
      },
    );
    const announcement = announcementOf(fact);
    expect(announcement && title(announcement)).toBe(words);
  });

  it.each([
    ["subscription", "台積電 撥券入庫 2張 @ 1,035.00"],
    ["bid", "台積電 撥券入庫 2張 @ 1,035.00"],
    ["raise", "台積電 撥券入庫 2張 @ 1,035.00"],
    ["savings", "台積電 買進成交 2張 @ 1,035.00"],
    [undefined, "台積電 買進成交 2張 @ 1,035.00"],
  ] as const)("of a position that came from %s reads %s", (origin, words) => {
    const order = { lots: 2, filledLots: 2, ...(origin === undefined ? {} : { origin }) };
    const announcement = announcementOf(orderFact("order.filled", order, { fills: [fill(2, 1035)] }));
    expect(announcement && title(announcement)).toBe(words);
  });

  it("of an application names its instrument, and only its own", () => {
    const won = (code: string): Announcement => ({ kind: "notice", notice: { about: "subscriptionWon", values: { code, lots: "1" } } });
    expect(title(won("2330"))).toBe("台積電 2330 中籤1張");
    expect(title(won("N0001"))).toBe("N0001 中籤1張");
  });

  it("of a partial fill names what is left, of both sides", () => {
    const open = announcementOf(orderFact("order.partlyFilled", { filledLots: 2 }, { fills: [fill(2, 1035)] }));
    expect(open && title(open)).toBe("台積電 買進部分成交 2張 @ 1,035.00，尚餘3張");
    const close = announcementOf(
      orderFact("order.closePartlyFilled", { filledLots: 5, closingLots: 4 }, { fills: [fill(1, 1035, "close")] }),
    );
    expect(close && title(close)).toBe("台積電 賣出部分成交 1張 @ 1,035.00，尚餘4張");
  });

  it("of a forced close says so, and is urgent", () => {
    const fact = orderFact("order.lotsClosed", { filledLots: 5 }, { fills: [fill(5, 1035, "close")], closeCause: "marginCall" });
    const announcement = announcementOf(fact);
    if (!announcement) throw new Error("nothing to tell");
    expect(announcementWords(announcement, readers["zh-TW"])).toEqual({
      title: "強制平倉：台積電 賣出成交 5張 @ 1,035.00",
      text: "委託書號 K100000000001 · 追繳處分",
      tone: "danger",
    });
  });

  it("of an order that ended names the side and the lots that ended", () => {
    const ended = (type: OrderFact["type"], cause: string): string | null => {
      const announcement = announcementOf(orderFact(type, { lots: 5, filledLots: 2 }, { ended: { lots: 3, cause } }));
      return announcement && title(announcement);
    };
    expect(ended("order.cancelled", "expired")).toBe("台積電 買進 3張未成交，委託已失效");
    expect(ended("order.reduced", "immediate")).toBe("台積電 買進 3張未能立即成交，已刪單");
    expect(ended("order.closeCancelled", "expired")).toBe("台積電 賣出 3張未成交，委託已失效");
    expect(ended("order.cancelled", "refused")).toBe("台積電 買進 3張不符您的風控設定，委託退回");
  });

  it("of the member's own instruction tells nothing", () => {
    expect(announcementOf(orderFact("order.cancelled", {}, { ended: { lots: 5, cause: "member" } }))).toBeNull();
    for (const type of ["order.placed", "order.amended", "order.closeRequested", "order.adjusted"] as const) {
      expect(announcementOf(orderFact(type, {}))).toBeNull();
    }
  });

  it("of a trigger tells the order it sent, or the exit that fired", () => {
    const entry = announcementOf(orderFact("order.triggered", {}));
    expect(entry && title(entry)).toBe("台積電 觸價條件成立，已送出買進委託 5張");
    const condition = { orderNo: ORDER.orderNo, code: "2330", kind: "stop", firedPrice: 9_900_000 };
    const exit = announcementOf({ n: 1, at: 1, type: "condition.fired", condition } as unknown as Fact);
    expect(exit && title(exit)).toBe("台積電 停損觸發 @ 990.00");
    expect(announcementOf({ n: 1, at: 1, type: "condition.set", condition } as unknown as Fact)).toBeNull();
    const waiting = { ...condition, price: 9_950_000, firedPrice: null };
    const again = announcementOf({ n: 1, at: 1, type: "condition.rearmed", condition: waiting } as unknown as Fact);
    expect(again && title(again)).toBe("台積電 今日未能全數平倉，停損 995.00 自下一交易日起恢復監控");
  });

  it("of the account tells margin calls and debts, not every change", () => {
    const call = { callNo: "C1", requiredCents: 100, dueAt: 0 };
    const margin = (type: string, message?: object): Announcement | null =>
      announcementOf({ n: 1, at: 1, type, account: {}, ...(message ? { message } : {}) } as unknown as Fact);
    expect(margin("margin.called", { call })).toEqual({ kind: "marginCall", call });
    expect(margin("margin.paid")).toBeNull();
    const debt = { incurredCents: 1, owedCents: 0, cancelled: [] };
    expect(announcementOf({ n: 1, at: 1, type: "debt.incurred", message: { debt } } as unknown as Fact)).toEqual({ kind: "debt", debt });
    expect(announcementOf({ n: 1, at: 1, type: "debt.repaid", owedCents: 0 } as unknown as Fact)).toBeNull();
  });

  it("of a copy, a strategy or lent shares tells only what the clock did", () => {
    for (const [type, about] of [
      ["lending.lent", "lendingStarted"],
      ["lending.returned", "lendingReturned"],
      ["copy.stopping", "copyStopped"],
      ["strategy.stopping", "strategyStopped"],
    ] as const) {
      const notice = { about, values: {} };
      const fact = (also: object): Fact => ({ n: 1, at: 1, type, ...also }) as unknown as Fact;
      expect(announcementOf(fact({ message: { kind: "notice", notice } }))).toEqual({ kind: "notice", notice });
      expect(announcementOf(fact({}))).toBeNull();
    }
  });
});

/** What became of a bid for four lots. */
const auctioned = (
  event: "bid.won" | "bid.lost" | "bid.reminded" | "bid.paid" | "bid.forfeited" | "bid.voided",
  wonLots: number,
): Announcement => {
  const money = { dueCents: 1_100_000, depositCents: 1_000_000, refundCents: 250_000, wonCents: 1_500_000, awardFeeCents: 60_000 };
  return {
    kind: "auction",
    notice: { event, bid: { code: "N0001", lots: 4, price: 550_000, wonLots, payableUntil: 0, ...money } } as never,
  };
};

const stoppedStrategy = (strategy: Strategy, code = "2330"): Announcement => ({
  kind: "notice",
  notice: { about: "strategyStopped", values: { strategy, code } },
});
const stoppedCopy = (of: { mentor?: string; strategy?: string }): Announcement => ({
  kind: "notice",
  notice: { about: "copyStopped", values: { mentor: "", strategy: "", reason: "copyLoss", ...of } },
});

const EVERY: Announcement[] = [
  ...(["buy", "sell", "short", "cover"] as const).flatMap((side) =>
    (["filled", "partlyFilled", "triggered"] as const).map((kind) => told({ side, kind, left: kind === "filled" ? 0 : 1 })),
  ),
  ...CLOSE_CAUSES.flatMap((cause) => [told({ side: "sell", cause }), told({ side: "sell", kind: "partlyFilled", left: 1, cause })]),
  ...CANCEL_CAUSES.filter((cause) => cause !== "member").map((cause) => told({ kind: "ended", cause, price: null })),
  ...(["stop", "takeProfit", "trailing"] as const).map((exit) => told({ kind: "triggered", side: null, exit })),
  ...(["stop", "takeProfit", "trailing"] as const).map((exit) => told({ kind: "rearmed", side: null, exit })),
  told({ lotShares: 1, lots: 120 }),
  { kind: "alert", alert: { code: "2330", kind: "above", level: 10_850_000, firedPrice: 10_900_000, id: "A" } as never },
  { kind: "marginCall", call: { callNo: "C1", requiredCents: 100_000, dueAt: 0 } as never },
  { kind: "auction", notice: { event: "auction.started", code: "N0001", closesAt: 0, minimumPrice: 500_000 } as never },
  ...(["bid.won", "bid.lost", "bid.reminded", "bid.paid", "bid.forfeited", "bid.voided"] as const).map((event): Announcement =>
    auctioned(event, 4),
  ),
  auctioned("bid.won", 3),
  { kind: "debt", debt: { incurredCents: 1 as never, owedCents: 1 as never, cancelled: [] } },
  ...STRATEGIES.map((strategy) => stoppedStrategy(strategy)),
  ...MENTOR_STRATEGIES.map((strategy) => stoppedCopy({ strategy })),
  stoppedCopy({ mentor: "Teacher" }),
];

describe("the words", () => {
  test.each(PUSH_LANGUAGES)("of every announcement exist in %s, different for each, without a placeholder", (language) => {
    const titles = EVERY.map((one) => announcementWords(one, readers[language]));
    for (const { title: line, text } of titles) expect(`${line} ${text}`).not.toMatch(/\{\{|\}\}|\b(?:report|order|message|alert)\.[a-z]/);
    // A close by the member reads like a close by a condition: the cause is in the text.
    expect(new Set(titles.map((words) => `${words.title} ${words.text}`)).size).toBeGreaterThan(EVERY.length - 4);
  });

  it("name the strategy with what it trades, and the mentor", () => {
    expect(title(stoppedStrategy("cross"))).toBe("策略停止：均線交叉 · 台積電 2330");
    expect(title(stoppedStrategy("rotation", ""), "en")).toBe("Strategy is stopping: Monthly momentum");
    expect(title(stoppedCopy({ strategy: "trend" }), "en")).toBe("Copy trading is stopping: Trend follower");
    expect(title(stoppedCopy({ mentor: "Teacher" }), "en")).toBe("Copy trading is stopping: Teacher");
  });

  it("use the code while the instrument is unknown", () => {
    expect(announcementWords(told({}), { ...readers.en, instrument: undefined }).title).toBe("2330: Buy filled, 2 lots at 1,035.00");
  });

  test("lead to routes the app knows", () => {
    for (const one of EVERY) expect(knownPath(routeOf(one))).toBe(routeOf(one));
  });
});

describe("a burst", () => {
  const burst = (announcements: readonly Announcement[]): Told[] => announcements.reduce(withAnnouncement, [] as Told[]);
  const reader = { ...readers["zh-TW"], instrumentOf };

  it("adds the fills of one order up to one line at their average price", () => {
    const lines = linesOf(
      burst([
        told({ kind: "partlyFilled", lots: 1, left: 4, price: 10_000_000 as never }),
        told({ kind: "partlyFilled", lots: 3, left: 1, price: 10_200_000 as never }),
      ]),
      reader,
    );
    expect(lines.map((line) => line.title)).toEqual(["台積電 買進部分成交 4張 @ 1,015.00，尚餘1張"]);
    expect(joinReports({ ...BASE, kind: "partlyFilled", lots: 1 }, { ...BASE, lots: 1 })).toMatchObject({
      kind: "filled",
      lots: 2,
      left: 0,
    });
  });

  it("adds two closes of one order up as well, so that no fill is left out; a forced one stays forced", () => {
    const forced = { ...BASE, side: "sell", cause: "liquidation" } as const;
    expect(joinReports(forced, { ...forced, lots: 1, cause: "member" })).toMatchObject({ lots: 3, cause: "liquidation" });
  });

  it("keeps the two sides of a position, and fills and ends, apart", () => {
    expect(burst([told({}), told({ side: "sell" })])).toHaveLength(2);
    expect(joinReports(BASE, { ...BASE, side: "sell", lots: 1 }).lots).toBe(1);
    expect(keyOf(told({}))).not.toBe(keyOf(told({ kind: "ended" })));
  });

  it("tells each of the strategies and mentors that stop at once", () => {
    const all = [stoppedStrategy("cross"), stoppedStrategy("grid"), stoppedCopy({ mentor: "A" }), stoppedCopy({ mentor: "B" })];
    expect(burst(all)).toHaveLength(4);
  });

  it("of fifty orders is one count, and the forced closes among them are still told", () => {
    const many = Array.from({ length: 50 }, (_, at) => told({ orderNo: `K${at}` as never }));
    expect(linesOf(burst(many), reader).map((line) => line.title)).toEqual(["50則委託回報"]);
    const forced = told({ orderNo: "K99" as never, side: "sell", cause: "liquidation" });
    expect(linesOf(burst([forced, ...many]), reader).map((line) => [line.tone, line.title])).toEqual([
      ["info", "50則委託回報"],
      ["danger", "強制平倉：台積電 賣出成交 2張 @ 1,035.00"],
    ]);
  });
});
