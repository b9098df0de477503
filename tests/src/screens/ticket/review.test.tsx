/** The order review: amounts that are only an upper bound are marked as such. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import en from "#locales/en.json";
import type { Direction } from "#contract/order.ts";
import { TicketReview } from "#src/screens/ticket/review.tsx";
import type { TicketModel } from "#src/screens/ticket/use-ticket.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

setUpHarness();

let shown: Shown;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});

beforeEach(async () => {
  fakeWorker();
  await marketApi();
  mock("nextVoucher", () => accepted({ voucher: null }));
});

afterEach(() => shown.gone());

/** A field that the review shows for an order of one lot. */
async function valueOf(
  direction: Direction,
  price: number | null,
  label = "Value",
  money: { proceedsCents: number; member: { availableCents: number } | null } = { proceedsCents: 0, member: null },
  kind: { funding?: "cash" | "margin"; dayTrade?: boolean } = {},
): Promise<string | undefined> {
  const model = {
    code: "2330",
    instrument: null,
    estimate: {
      valueCents: 109_000_000,
      feeCents: 155_300,
      taxCents: 0,
      collateralCents: 98_100_000,
      loanCents: 0,
      neededCents: 109_155_300,
    },
    ladder: { kind: "stock", decimals: 2 },
    lotShares: 1_000,
    quantum: { per: 1, step: 1 },
    lockSeconds: 0,
    liquidation: null,
    maintenance: null,
    worst: null,
    readAt: null,
    ...money,
    rule: null,
    tradable: true,
    slides: false,
    closing: null,
    opening: {
      requestId: "",
      code: "2330",
      direction,
      pricing: price === null ? "market" : "limit",
      price,
      lots: 1,
      funding: "cash",
      ...kind,
    },
    request: { state: "reviewing" },
  };
  shown = await show(<TicketReview model={model as unknown as TicketModel} />);
  return fieldOf(label);
}

function fieldOf(label: string): string | undefined {
  const term = [...shown.place.querySelectorAll("dt")].find(({ textContent }) => textContent === label);
  return term?.nextElementSibling?.textContent ?? undefined;
}

describe("a fee voucher", () => {
  const VOUCHER = {
    voucherNo: "V1",
    status: "available" as const,
    faceCents: 2_000,
    issuedAt: 0,
    expiresAt: 9_000,
    orderNo: null,
    paidCents: 0,
  };

  it.each([
    [2_000, "up to −20.00"],
    // Never more than the fee.
    [200_000, "up to −1,553.00"],
  ])("of %i cents is shown as %s", async (faceCents, text) => {
    mock("nextVoucher", () => accepted({ voucher: { ...VOUCHER, faceCents } }));
    await valueOf("rise", 10_900_000);
    globalThis.IS_REACT_ACT_ENVIRONMENT = false;
    await until(() => fieldOf("Fee voucher") === text);
    globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  });
});

describe("the review", () => {
  it.each([
    [109_155_300, undefined],
    [109_000_000, "1,553.00"],
    [1_000_000, "10,000.00"],
  ])("of a purchase with %i cents available says that %s is paid from the day's sales", async (availableCents, text) => {
    const money = { proceedsCents: 1_000_000, member: { availableCents } };
    expect(await valueOf("rise", 10_900_000, "Paid from today's sales", money)).toBe(text);
  });

  it("states the exact value of a limit buy order", async () => {
    expect(await valueOf("rise", 10_900_000)).toBe("1,090,000.00");
  });

  it.each([
    ["a purchase at market", "rise", null],
    ["a short sale at a limit, which may trade higher", "fall", 10_100_000],
    ["a short sale at market", "fall", null],
  ] as const)("marks the value of %s as an upper bound", async (_what, direction, price) => {
    expect(await valueOf(direction, price)).toBe("up to 1,090,000.00");
  });

  it("says in words that it opens a short, and counts its collateral as the position does", async () => {
    // The proceeds of the sale are held beside the member's own collateral of 981,000.
    expect(await valueOf("fall", 10_900_000, "Sale proceeds kept as collateral")).toBe("up to 1,090,000.00");
    expect(await valueOf("fall", 10_900_000, "Collateral")).toBe("up to 981,000.00");
    expect(shown.place.textContent).toContain("Opens a short with borrowed shares. Its proceeds and up to 981,000.00");
    expect(shown.place.querySelector("h3")?.textContent).toBe("Please check: Sell short 2330");
  });

  it.each([
    [{}, undefined],
    [{ dayTrade: true }, "Day trade"],
    [{ funding: "margin", dayTrade: true }, "Margin · Day trade"],
  ] as const)("of %j names its funding %s: that a day trade is paid in cash is in its word", async (kind, text) => {
    mock("readDayTrading", () => refused("GEN_TOO_FREQUENT"));
    expect(await valueOf("rise", 10_900_000, "Funding", undefined, kind)).toBe(text);
  });

  it("takes the focus to its heading, and keeps the total beside the control", async () => {
    await valueOf("rise", 10_900_000);
    expect(document.activeElement?.tagName).toBe("H3");
    const control = [...shown.place.querySelectorAll("button")].find(({ textContent }) => textContent === "Confirm buy");
    expect(control?.closest("[data-total]")?.textContent).toContain("Est. total");
  });
});
