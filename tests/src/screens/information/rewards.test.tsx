/** Check-in, agent and seat screens: what they say, what they send, what blocks them, the reviewer's question, lists, and their failures. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { Application } from "#contract/review.ts";
import { AgentPage } from "#src/screens/information/agent.tsx";
import { weeksOf } from "#src/screens/information/check-in-calendar.tsx";
import { CheckInPage } from "#src/screens/information/check-in.tsx";
import { invitationLink } from "#src/screens/information/invitation.tsx";
import { qrPath } from "#src/screens/information/qr-code.tsx";
import { SeatPage } from "#src/screens/information/seat.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { REWARD_RULE } from "#tests/support/reward-rule.ts";
import { until } from "#tests/support/until.ts";

const TODAY = taipeiDay(Date.UTC(2026, 6, 15, 4));
const NOTHING = { today: TODAY, checkedIn: false, streak: 0, total: 0, count: 0 };
const PENDING: Application = {
  applicationNo: "A1",
  kind: "agent",
  status: "pendingReview",
  statement: "I know many",
  reason: null,
  note: null,
  submittedAt: 1_000 as Application["submittedAt"],
  changedAt: 1_000 as Application["changedAt"],
};
const AGENT = { code: "ABCD2345", application: null, isAgent: false, invited: 0, accruedCents: 0, paidCents: 0, rule: REWARD_RULE };
const SEAT = { application: null, feePerMillion: 1_425, listPerMillion: 1_425, rule: REWARD_RULE };

let worker: FakeWorker;
let shown: Shown | null = null;
let facts = 0;

const words = (): string => document.querySelector("main")?.textContent ?? "";
const buttons = (): (string | null)[] => [...document.querySelectorAll("main button")].map(({ textContent }) => textContent);
const press = (name: string): Promise<void> =>
  doing(() => [...document.querySelectorAll("button")].find((button) => button.textContent === name)?.click());
const type = (text: string): Promise<void> =>
  doing(() => {
    const field = one(document, "input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const submit = (): Promise<void> =>
  doing(() => one(document, "form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const says = (text: string): Promise<void> => settled(() => words().includes(text));

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
beforeEach(() => {
  mock("readMember", () => accepted(OVERVIEW));
  mock("listVouchers", () => accepted({ items: [], next: null }));
});
afterEach(async () => {
  await shown?.gone();
  shown = null;
});

const month = (over: Partial<typeof NOTHING> = {}, days: number[] = []) =>
  mock("readCheckIns", (body) => accepted({ month: body.month ?? "2026-07", days, checkIns: { ...NOTHING, ...over }, rule: REWARD_RULE }));

describe("a calendar", () => {
  it.each([
    ["2026-07", 5, 3],
    ["2026-02", 4, 0],
    ["2026-08", 6, 6],
  ])("of %s has %i weeks, and begins on weekday %i", (of, weeks, weekday) => {
    const all = weeksOf(of);
    expect(all).toHaveLength(weeks);
    expect(all[0]?.findIndex((day) => day !== null)).toBe(weekday);
    const days = all.flat().filter((day) => day !== null);
    expect(days).toEqual(days.map((_day, nth) => (days[0] ?? 0) + nth));
  });
});

describe("check-in", () => {
  it("checks in once, and marks the day", async () => {
    month();
    mock("checkIn", () => accepted({ ...NOTHING, checkedIn: true, streak: 1, total: 1, count: 1 }));
    shown = await show(<CheckInPage />);
    await settled(() => buttons().includes("Check in"));
    expect(words()).not.toContain("Redeem a voucher");
    await press("Check in");
    await says("Checked in today");
    expect(buttons()).not.toContain("Check in");
    expect(document.querySelectorAll("[data-done]")).toHaveLength(1);
    expect(bodies("checkIn")).toHaveLength(1);
    expect(toasts).toEqual(["Check-in succeeded"]);
  });

  it("says that today's was made elsewhere", async () => {
    month();
    mock("checkIn", () => refused("CHK_ALREADY"));
    shown = await show(<CheckInPage />);
    await settled(() => buttons().includes("Check in"));
    await press("Check in");
    await settled(() => document.querySelector("main [role=alert]") !== null);
    expect(one(document, "main [role=alert]").textContent).toBe(i18next.t("refusal.CHK_ALREADY"));
  });

  it("redeems seven of them, and lists the vouchers with what became of each", async () => {
    month({ checkedIn: true, streak: 7, total: 8, count: 8 });
    const voucher = {
      voucherNo: "V1",
      status: "available" as const,
      faceCents: 2_000,
      issuedAt: 0,
      expiresAt: 86_400_000,
      orderNo: null,
      paidCents: 0,
    };
    const used = { ...voucher, voucherNo: "V0", status: "used" as const, orderNo: "K000000000001", paidCents: 700 };
    mock("listVouchers", () => accepted({ items: [used, { ...voucher, voucherNo: "V2", status: "expired" as const }], next: null }));
    mock("redeemVoucher", () => {
      const left = { checkedIn: true, streak: 7, total: 8, count: 1 };
      month(left);
      return accepted({ voucher, checkIns: { ...NOTHING, ...left } });
    });
    shown = await show(<CheckInPage />);
    await says("Paid NT$7.00 of order K000000000001");
    expect(words()).toContain("Expired on 1970.01.02");
    await press("Redeem a voucher");
    await settled(() => toasts.includes("Voucher added"));
    expect(buttons()).not.toContain("Redeem a voucher");
  });

  it("shows another month, and none after this one", async () => {
    month({}, [TODAY - 30]);
    shown = await show(<CheckInPage />);
    await says("Calendar of 2026.07");
    await doing(() => one(document, "[aria-label='Next month']").click());
    expect(words()).toContain("Calendar of 2026.07");
    await doing(() => one(document, "[aria-label='Previous month']").click());
    await says("Calendar of 2026.06");
    await settled(() => document.querySelectorAll("[data-done]").length === 1);
    expect(bodies("readCheckIns")).toContainEqual({ month: "2026-06" });
  });

  it("names what is missing before the button", async () => {
    month();
    mock("readMember", () => accepted({ ...OVERVIEW, facts: { ...OVERVIEW.facts, identity: "unverified" as const } }));
    shown = await show(<CheckInPage />);
    await says(i18next.t("refusal.ACC_REALNAME_REQUIRED"));
    expect(buttons()).not.toContain("Check in");
  });

  it("says that it could not be loaded", async () => {
    mock("readCheckIns", () => refused("GEN_SYSTEM_BUSY"));
    shown = await show(<CheckInPage />);
    await says("This page could not be loaded");
  });
});

describe("the invitation", () => {
  it("leads to registration with the code, as a QR code with quiet modules around it", () => {
    expect(invitationLink("ABCD2345")).toBe("http://localhost:3000/#/login/register?code=ABCD2345");
    const { size, path } = qrPath(invitationLink("ABCD2345"));
    // The top left finder pattern begins after four light modules.
    expect(path.startsWith("M4 4h1v1h-1z")).toBe(true);
    expect((size - 17) % 4).toBe(0);
  });
});

describe("an agent's page", () => {
  it("applies, keeps what was typed when it is refused, and shows the review", async () => {
    mock("readAgent", () => accepted(AGENT));
    mock("applyForAgent", () => refused("GEN_FORM_INCOMPLETE", { field: "statement" }));
    shown = await show(<AgentPage />);
    await says("ABCD2345");
    expect(one(document, "svg[role=img]").getAttribute("width")).toBe("256");
    await type("I know many");
    await submit();
    await settled(() => document.querySelector("main [aria-invalid=true]") !== null);
    expect(document.querySelector<HTMLInputElement>("main input")?.value).toBe("I know many");
    mock("applyForAgent", () => accepted(PENDING));
    await submit();
    await says("Under review");
    expect(bodies("applyForAgent").at(-1)).toMatchObject({ statement: "I know many" });
    expect(document.querySelector("main form")).toBeNull();
  });

  it("answers the reviewer's question, beginning with what was written", async () => {
    const waiting = { ...PENDING, status: "waiting" as const, reason: "operator" as const, note: "How many?" };
    mock("readAgent", () => accepted({ ...AGENT, application: waiting }));
    mock("answerReview", () => accepted(PENDING));
    shown = await show(<AgentPage />);
    await says("From the reviewer: How many?");
    await settled(() => document.querySelector("main form") !== null);
    expect(document.querySelector<HTMLInputElement>("main input")?.value).toBe("I know many");
    await type("I know many: three");
    await submit();
    await says("Under review");
    expect(bodies("answerReview")).toMatchObject([{ kind: "agent", statement: "I know many: three" }]);
  });

  it("may apply again after a rejection, with its reason, and follows a decision made elsewhere", async () => {
    mock("readAgent", () =>
      accepted({ ...AGENT, code: null, application: { ...PENDING, status: "rejected" as const, reason: "score" as const } }),
    );
    shown = await show(<AgentPage />);
    await says("Your credit score is too low.");
    expect(words()).toContain("You may apply again.");
    expect(words()).toContain("Your code appears as soon as your identity is verified.");
    mock("readAgent", () => accepted({ ...AGENT, application: PENDING }));
    worker.emit({ kind: "facts", facts: [{ n: ++facts, at: 5_000, type: "review.submitted", applicationNo: "A2" }] as never });
    await says("Under review");
  });

  it("lists the invited clients and the rebates of an agent", async () => {
    mock("readAgent", () => accepted({ ...AGENT, isAgent: true, invited: 1, accruedCents: 12_345, paidCents: 600 }));
    mock("listRebates", () =>
      accepted({ items: [{ month: "2026-06", commissionCents: 3_000, rebateCents: 600, paidAt: 1_000 }], next: null }),
    );
    const newcomer = { memberNo: "KS****01", name: "王*明", joinedAt: 0, verified: false, commissionCents: 3_000, rebateCents: 600 };
    mock("listInvited", () => accepted({ items: [newcomer], next: "7" }));
    shown = await show(<AgentPage />);
    await says("王*明 KS****01");
    expect(words()).toContain("NT$123.45");
    expect(words()).toContain("identity not verified yet");
    await says("2026.06 · NT$6.00");
    expect(one(document, "[aria-label='Export 2026-06 as CSV']").textContent).toBe("CSV");
    mock("listInvited", ({ cursor }) =>
      accepted({ items: cursor === "7" ? [{ ...newcomer, memberNo: "KS****02" }] : [newcomer], next: null }),
    );
    await press("Show more");
    await says("KS****02");
  });

  it("says that it could not be loaded", async () => {
    mock("readAgent", () => refused("GEN_SYSTEM_BUSY"));
    shown = await show(<AgentPage />);
    await says("This page could not be loaded");
  });
});

describe("a seat's page", () => {
  it("compares the commissions, applies, and has no form once it is open", async () => {
    mock("readSeat", () => accepted(SEAT));
    mock("applyForSeat", () => accepted({ ...PENDING, kind: "seat" as const, status: "success" as const }));
    shown = await show(<SeatPage />);
    await says("0.0855%");
    await settled(() => document.querySelector("main form") !== null);
    await type("I trade a lot");
    await submit();
    await says("Open");
    expect(toasts).toEqual(["Seat application succeeded"]);
    expect(document.querySelector("main form")).toBeNull();
  });

  it("of who is blocked names what is missing", async () => {
    mock("readSeat", () => accepted(SEAT));
    mock("readMember", () => accepted({ ...OVERVIEW, facts: { ...OVERVIEW.facts, identity: "underReview" as const } }));
    shown = await show(<SeatPage />);
    await says(i18next.t("refusal.ACC_REALNAME_PENDING"));
    expect(document.querySelector("main form")).toBeNull();
  });
});
