/** Tests refusal texts: by code with parameters, by the exact Chinese text, clause by clause, and unknown text unchanged. */
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import { refusals } from "#contract/kernel/refusal.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import en from "#locales/en.json";
import { messageText, refusalText, refusalTextNow } from "#src/gateway/refusal.ts";

const unknown = "" as RefusalCode;

describe("the text of a refusal", () => {
  beforeAll(async () => {
    await i18next.init({ lng: "en", resources: { en: { translation: en } }, interpolation: { escapeValue: false } });
  });

  test("comes from its code, with parameters filled in", () => {
    expect(refusalTextNow({ code: "FUND_WITHDRAW_MIN", params: { n: 100 }, msg: "提现金额不能低于100元" })).toBe(
      "The minimum withdrawal is 100",
    );
  });

  test("exists for every code of the catalogue", () => {
    for (const code of Object.keys(refusals) as RefusalCode[]) {
      expect(refusalTextNow({ code, params: {}, msg: "-" }), code).not.toBe("-");
    }
  });

  test("comes from the exact Chinese text without a code", async () => {
    expect(await refusalText({ code: unknown, params: {}, msg: "余额不足" })).toBe("Insufficient balance");
    expect(await messageText("买入成功")).toBe("Purchase succeeded");
  });

  test("comes clause by clause without a code, with its numbers kept", async () => {
    expect(await messageText("提现金额须在100元至5000000元之间")).toBe("The withdrawal must be between 100 and 5000000");
    expect(await messageText("当日开仓，T+1日方可平仓")).toBe("Opened today, can be closed from T+1");
    expect(await messageText("余额不足，委托不存在")).toBe("Insufficient balance. Order not found");
  });

  test("stays unchanged when it is unknown", async () => {
    expect(await messageText("余额不足，天气很好")).toBe("余额不足，天气很好");
    expect(await refusalText({ code: unknown, params: {}, msg: "天气很好" })).toBe("天气很好");
  });
});
