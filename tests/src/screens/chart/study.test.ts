/** Tests studies as a chart shows them: their lines, panes and texts. */
import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { MAIN_STUDIES, SUB_STUDIES } from "#contract/preference.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import type { Candle } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import en from "#locales/en.json";
import { actionsByPlace, actionText, lineLabel, planTexts, planTitle } from "#src/screens/chart/study-values.ts";
import { beside, panesFor, planOf, studiesOf, valueText } from "#src/screens/chart/study.ts";
import { StudySet } from "#workers/chart/study-set.ts";

beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: en } } }));
const lots = (count: number): string => `${count} lots`;
const bar = (at: number): Candle => ({ at, open: 1, high: 1, low: 1, close: 1, volume: 1234 });

describe("the plan of a study", () => {
  it.each([...MAIN_STUDIES, ...SUB_STUDIES, "average" as const])("%s draws each line of the worker once", (study) => {
    const { lines } = planOf(study, USUAL_STUDIES);
    const rows = lines.map((line) => line.row).filter((at) => at !== null);
    expect(rows).toEqual(new StudySet([study], USUAL_STUDIES).over([])[0]?.lines.map((_, at) => at));
  });

  it("follows the member's lengths", () => {
    const plan = planOf("ma", { ...USUAL_STUDIES, ma: [7, 30] });
    expect(plan.lines.map((line) => lineLabel(line, i18next.t))).toEqual(["MA7", "MA30"]);
    expect(planTitle(plan, i18next.t)).toBeNull();
  });

  it("shows the parameters its line labels do not", () => {
    expect(planTitle(planOf("macd", USUAL_STUDIES), i18next.t)).toBe("MACD 12,26,9");
    expect(planTitle(planOf("boll", USUAL_STUDIES), i18next.t)).toBe("BOLL 20,2");
    expect(planTitle(planOf("sar", USUAL_STUDIES), i18next.t)).toBe("SAR 0.02,0.2");
    expect(planTitle(planOf("kd", USUAL_STUDIES), i18next.t)).toBe("KD 9,3,3");
  });

  it("has the average price over the intraday line, and the chosen study over candles", () => {
    expect(studiesOf({ shape: "line" }, "stock", { main: "ma", sub: ["vol", "kd"] })).toEqual(["average", "vol", "kd"]);
    expect(studiesOf({ shape: "candles" }, "stock", { main: "sar", sub: [] })).toEqual(["sar"]);
    expect(studiesOf({ shape: "candles" }, "stock", { main: null, sub: ["obv"] })).toEqual(["obv"]);
    expect(studiesOf({ shape: "line" }, "index", { main: "ma", sub: ["vol"] })).toEqual(["vol"]);
  });
});

describe("the panes", () => {
  it("fit the height and leave the prices the largest part", () => {
    expect(panesFor(332, 2)).toEqual({ count: 2, each: 60 });
    // A tall chart: its panes shrink before its prices do.
    expect(panesFor(484, 1)).toEqual({ count: 1, each: 56 });
    expect(panesFor(620, 3)).toEqual({ count: 3, each: 64 });
    expect(panesFor(220, 3).count).toBe(1);
    expect(panesFor(150, 2).count).toBe(0);
    expect(panesFor(0, 1)).toEqual({ count: 0, each: 0 });
    for (let height = 0; height < 1200; height += 7) {
      for (const wanted of [0, 1, 2, 3]) {
        const { count, each } = panesFor(height, wanted);
        expect(count).toBeLessThanOrEqual(wanted);
        if (count > 0) expect(height - count * each).toBeGreaterThanOrEqual(131);
      }
    }
  });
});

describe("values aligned with bars", () => {
  it("are cut to the newest, or padded with NaN at the start", () => {
    const rows = [{ study: "ma" as const, lines: [{ name: "MA5", values: Float64Array.of(1, 2, 3) }] }];
    expect(beside(rows, 2)[0]?.lines).toEqual([[2, 3]]);
    expect(beside(rows, 5)[0]?.lines).toEqual([[NaN, NaN, 1, 2, 3]]);
    expect(beside(rows, 0)[0]?.lines).toEqual([[]]);
  });

  it("are formatted by unit", () => {
    expect(valueText(10_887_900, "price", 2, lots)).toBe("1,088.79");
    expect(valueText(-18_800, "change", 2, lots)).toBe("−1.88");
    expect(valueText(31_500, "change", 2, lots)).toBe("3.15");
    expect(valueText(1.256, "percent", 2, lots)).toBe("+1.26%");
    expect(valueText(70.224, "index", 4, lots)).toBe("70.22");
    expect(valueText(0, "index", 2, lots)).toBe("0.00");
    expect(valueText(-1500, "lots", 2, lots)).toBe("−1500 lots");
    expect(valueText(NaN, "price", 2, lots)).toBe("--");
  });

  it("are given per line at an index, the volume from the bar itself", () => {
    const studies = [
      {
        study: "vol" as const,
        lines: [
          [10, 20],
          [NaN, 30],
        ],
      },
    ];
    const words = { t: i18next.t, decimals: 2, lots };
    const plan = planOf("vol", USUAL_STUDIES);
    expect(planTexts(plan, studies, 1, bar(1), words)).toEqual(["1234 lots", "20 lots", "30 lots"]);
    expect(planTexts(plan, studies, 0, bar(0), words)).toEqual(["1234 lots", "10 lots", "--"]);
    expect(planTexts(plan, [], 0, bar(0), words)).toEqual(["1234 lots", "--", "--"]);
  });
});

describe("ex-events", () => {
  const event = (at: number, more: Partial<CorporateAction> = {}): CorporateAction =>
    ({
      at,
      kind: "dividend",
      cash: 50_000,
      freeMillionths: 0,
      rightsMillionths: 0,
      rightsPrice: 0,
      closeBefore: 0,
      reference: 0,
      ...more,
    }) as CorporateAction;

  it("are on the bar they fall into; those before all bars are left out", () => {
    const places = actionsByPlace([bar(10), bar(20), bar(30)], [event(5), event(10), event(27), event(29), event(31)]);
    expect([...places].map(([place, events]) => [place, events.length])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  it("have descriptions", () => {
    const words = { t: i18next.t, decimals: 2 };
    expect(actionText(event(0), words)).toBe("Ex-dividend 5.00");
    expect(actionText(event(0, { kind: "split", freeMillionths: 3_000_000 }), words)).toBe("Split 1 to 4");
    expect(actionText(event(0, { kind: "stockDividend", freeMillionths: 50_000 }), words)).toBe("Stock dividend 5.00%");
  });
});
