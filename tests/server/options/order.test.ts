/** Tests orders of options on a real broker: what refuses them, how lots are counted, and what closes without what opening needs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { futuresEndpoints } from "#contract/futures.ts";
import { optionEndpoints } from "#contract/option.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { calmMarket, expectCleanBooks, index, newId } from "#tests/server/futures/fixture.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, openOption, optionTrader, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

describe("an order", () => {
  it("is refused by each rule in turn", async () => {
    const unsigned = await broker.newMember({ depositCents: 500_000_000 });
    const { code } = await series(broker, unsigned, "call", 2);
    expect(await refusalOf(openOption(broker, unsigned, code, "buy", 1))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const member = await optionTrader(broker, 1_500_000);
    const refused = async (over: Parameters<typeof openOption>[5] = {}, side: "buy" | "sell" = "buy", lots = 1) =>
      (await refusalOf(openOption(broker, member, code, side, lots, over))).code;
    expect(await refused({ series: "TXO-1999-01-C-20000" })).toBe("GEN_NOT_FOUND");
    expect(await refused({ series: `${code.slice(0, -5)}20050` })).toBe("GEN_NOT_FOUND");
    // Another spelling of a listed series is none.
    expect(await refused({ series: `${code.slice(0, -5)}0${code.slice(-5)}` })).toBe("GEN_NOT_FOUND");
    expect(await refused({ price: 1 })).toBe("TRD_CONTRACT_PRICE");
    // Between ticks: of 50.5 points the tick is 1, of 501 it is 5.
    for (const [price, n] of [
      [505, "1"],
      [5_010, "5"],
    ] as const)
      expect(await refusalOf(openOption(broker, member, code, "buy", 1, { price }))).toMatchObject({
        code: "TRD_PRICE_OFF_TICK",
        params: { n },
        field: "price",
      });
    expect(await refused({}, "buy", OPTION_RULE.mostLots + 1)).toBe("TRD_OPTION_LOTS");
    expect(await refused({}, "buy", 2)).toBe("TRD_CONTRACT_MARGIN");
    expect(await refused({}, "sell")).toBe("TRD_CONTRACT_MARGIN");
    broker.venue.setFresh(false);
    expect(await refused()).toBe("TRD_PRICE_STALE");
    broker.venue.setFresh(true);
    broker.venue.setPhase("closingAuction");
    expect(await refused()).toBe("TRD_NON_TRADING_HOURS");
    broker.venue.setPhase("open");
    index(broker, 22_001);
    expect(await refused()).toBe("TRD_CONTRACT_NO_QUOTE");
    index(broker, 20_000);
    const trader = (values: object) => broker.db.kysely.updateTable("trader").set(values).where("member_id", "=", member).execute();
    await trader({ max_order_cents: 100_000 });
    expect(await refused()).toBe("RSK_ORDER_MAX");
    await trader({ max_order_cents: null, daily_loss_cents: 1_000 });
    const cheap = await series(broker, member, "call", 8);
    const { position } = await openOption(broker, member, cheap.code, "buy", 1);
    expect(await refused()).toBe("RSK_DAILY_LOSS");
    await trader({ daily_loss_cents: null });
    expect(await refused({ series: cheap.code }, "sell")).toBe("TRD_OPTION_OPPOSITE");
    expect(await refusalOf(closeOption(broker, member, position.positionNo, 2))).toMatchObject({
      code: "TRD_CLOSE_EXCEEDS",
      params: { n: "1" },
      field: "lots",
    });
    expect(await refusalOf(closeOption(broker, member, position.positionNo, 1, { price: 502 }))).toMatchObject({
      code: "TRD_PRICE_OFF_TICK",
    });
    expect(await refusalOf(closeOption(broker, member, position.positionNo, 1, { price: 9_000 }))).toMatchObject({
      code: "TRD_CONTRACT_PRICE",
    });
    expect(await refusalOf(closeOption(broker, unsigned, position.positionNo, 1))).toMatchObject({ code: "GEN_NOT_FOUND" });
  });

  it.each([0, -1, 1.5, 1_000_001])("%d lots are none", (lots) => {
    const named = { requestId: newId(), price: null, lots };
    for (const { error } of [
      optionEndpoints.openOption.body.safeParse({ ...named, series: "TXO-2026-12-C-20000", side: "buy" }),
      optionEndpoints.closeOption.body.safeParse({ ...named, positionNo: "O1" }),
      futuresEndpoints.tradeFutures.body.safeParse({ ...named, contract: "TX-2026-12", side: "buy" }),
    ])
      expect(error?.issues).toMatchObject([{ message: "VAL_CONTRACT_LOTS", path: ["lots"] }]);
  });

  it("counts lots by the side of the market: calls sold and puts bought are one", async () => {
    const member = await optionTrader(broker, 400_000_000);
    const put = await series(broker, member, "put", -8);
    const call = await series(broker, member, "call", 8);
    await openOption(broker, member, put.code, "buy", OPTION_RULE.mostLots - 1);
    expect(await refusalOf(openOption(broker, member, call.code, "sell", 2))).toMatchObject({ code: "TRD_OPTION_LOTS" });
    await openOption(broker, member, call.code, "sell", 1);
    await openOption(broker, member, call.code.replace("-C-", "-P-"), "sell", 1);
  });

  it("closes without what opening needs, and keeps an account from being closed until then", async () => {
    const member = await optionTrader(broker);
    const { code } = await series(broker, member, "call");
    const { position } = await openOption(broker, member, code, "buy", 1);
    await broker.db.kysely
      .updateTable("member")
      .set({ restrictions: ["tradeBarred"] })
      .where("id", "=", member)
      .execute();
    expect(await refusalOf(openOption(broker, member, code, "buy", 1))).toMatchObject({ code: "ACC_TRADE_BARRED" });
    expect((await broker.call("readClosing", member, {})).open).toContainEqual({ what: "options", count: 1 });
    await closeOption(broker, member, position.positionNo, 1);
    expect((await broker.call("readClosing", member, {})).open.map(({ what }) => what)).not.toContain("options");
  });
});
