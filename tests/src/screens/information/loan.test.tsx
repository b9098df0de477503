/** The screens of credit loans and of the credit score: blocks before the form, refusals at their field, the offer and its agreement, errors. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MemberFacts } from "#contract/eligibility.ts";
import type { Answer } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs, formatDate, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { borrowingOf } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import en from "#locales/en.json";
import { unresolved$ } from "#src/actors/command.ts";
import { useRequest } from "#src/actors/request.ts";
import { waitForTranslations } from "#src/gateway/language.ts";
import { CreditPage } from "#src/screens/information/credit.tsx";
import { LoanRepayPage } from "#src/screens/information/loan-repay.tsx";
import { LoanPage } from "#src/screens/information/loan.tsx";
import { scoreCurve } from "#src/screens/information/score-path.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, broken, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness, toasts } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { CREDIT_RULE } from "#tests/support/credit-rule.ts";
import { until } from "#tests/support/until.ts";

const OFFER: Loan = {
  loanNo: "L7",
  status: "offered",
  amountCents: cents(10_000_000),
  termDays: 30,
  interestPerMillion: 60_000,
  offeredAt: epochMs(Date.now()),
  offerEndsAt: epochMs(Date.now() + DAY_MS),
  drawnAt: null,
  dueDay: null,
  principalCents: cents(0),
  interestCents: cents(0),
  paidInterestCents: cents(0),
  repaidAt: null,
  points: 0,
  version: 1,
};
const DRAWN: Loan = {
  ...OFFER,
  status: "drawn",
  drawnAt: epochMs(Date.UTC(2026, 6, 1)),
  dueDay: taipeiDay(Date.UTC(2026, 6, 31)),
  principalCents: cents(10_000_000),
  interestCents: cents(1_643),
  version: 3,
};

let worker: FakeWorker;
let shown: Shown;
let facts = 0;

const words = (): string => document.querySelector("main")?.textContent ?? "";
const error = (): string | null | undefined => document.querySelector("[id$=-error]")?.textContent;
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
const links = (to: string): number => document.querySelectorAll(`main a[href*="${to}"]`).length;
const emitLoan = (what: string, loan: Loan): void =>
  worker.emit({ kind: "facts", facts: [{ n: ++facts, at: 5_000, type: what, loan }] as never });

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

/** What the broker says about loans: NT$1,000,000 of own assets, so NT$400,000 at a score of 80. */
function lend(loans: readonly Loan[], score = 80, borrowed = 0): Answer<"readLoans"> {
  return { rule: CREDIT_RULE, borrowing: borrowingOf(CREDIT_RULE, score, 100_000_000, borrowed), loans: [...loans] };
}
const facing = (over: Partial<MemberFacts> = {}) =>
  mock("readMember", () => accepted({ ...OVERVIEW, availableCents: 50_000_000, facts: { ...OVERVIEW.facts, ...over } }));

async function openLoan(answer: Answer<"readLoans">): Promise<void> {
  mock("readLoans", () => accepted(answer));
  shown = await show(<LoanPage />);
  await settled(() => words().includes(en.loan.limit));
}

async function openRepay(answer: Answer<"readLoans">, path = "/home/loanRe"): Promise<void> {
  mock("readLoans", () => accepted(answer));
  shown = await show(<LoanRepayPage />, path);
  await settled(() => words().includes(en.loan.history));
}

let asked = false;

/** A form that is gone as soon as its answer is there. */
function Asking() {
  const request = useRequest("offerLoan", {
    onAccepted: () => {
      asked = true;
      void shown.gone();
    },
  });
  return <button onClick={() => request.submit({ amount: 10_000_000, termDays: 7 })}>ask</button>;
}

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
beforeEach(() => facing());
afterEach(() => shown.gone());

describe("before a loan", () => {
  it("shows how the limit is made", async () => {
    await openLoan(lend([], 80, 10_000_000));
    for (const said of ["80 · Good", "1,000,000.00", "40%", "2,000,000.00", "400,000.00", "300,000.00"]) expect(words()).toContain(said);
    expect(links("/information/credit")).toBe(1);
  });

  it.each([
    ["an overdue loan", {}, lend([{ ...DRAWN, status: "overdue" }]), en.refusal.FUND_LOAN_UNPAID, "/home/loanRe"],
    ["a low score", {}, lend([], 59), en.refusal.FUND_CREDIT_SCORE_LOW, "/information/credit"],
    ["no identity", { identity: "unverified" as const }, lend([]), en.refusal.ACC_REALNAME_REQUIRED, "/information/authInfo"],
    ["a limit that is used up", {}, lend([DRAWN], 80, 39_500_000), "Insufficient loan limit: NT$5,000.00 can be borrowed", "/home/loanRe"],
  ])("says before the form that %s keeps it back, with the way out", async (_what, over, answer, said, to) => {
    facing(over);
    await openLoan(answer);
    await settled(() => words().includes(en.loan.blocked));
    expect(words()).toContain(said);
    expect(links(to)).toBeGreaterThan(0);
    expect(document.querySelector("form")).toBeNull();
  });

  it("says what failed, and tries again", async () => {
    mock("readLoans", () => broken.status(500));
    shown = await show(<LoanPage />);
    await settled(() => words().includes(en.loan.failed));
    mock("readLoans", () => accepted(lend([])));
    await press(en.ui.retry);
    await settled(() => words().includes(en.loan.form));
  });
});

describe("the amount", () => {
  it.each([
    ["", en.refusal.VAL_AMOUNT_EMPTY],
    ["ten", en.refusal.VAL_AMOUNT_EMPTY],
    ["9,999", "A loan is at least NT$10,000.00"],
    ["400,001", "Insufficient loan limit: NT$400,000.00 can be borrowed"],
  ])("%s is refused at its field and stays in it", async (text, said) => {
    await openLoan(lend([]));
    await type(text);
    await submit();
    await settled(() => error() === said);
    expect(one(document, "input").value).toBe(text);
    expect(bodies("offerLoan")).toEqual([]);
  });

  it("says its cost before it is sent, and shows the server's refusal at the field", async () => {
    await openLoan(lend([]));
    await type("100000");
    await settled(() => words().includes(en.loan.today));
    const due = formatDate(taipeiMidnight(taipeiDay(Date.now()) + 7));
    for (const said of ["16.43", "115.01", "100,115.01", due, "6%"]) expect(words()).toContain(said);
    mock("offerLoan", () => refused("FUND_LOAN_LIMIT_INSUFFICIENT", { params: { n: "50.00" }, field: "amount" }));
    await submit();
    await settled(() => error() === "Insufficient loan limit: NT$50.00 can be borrowed");
    expect(bodies("offerLoan")).toMatchObject([{ amount: 10_000_000, termDays: 7 }]);
    expect(toasts).toEqual([]);
  });
});

describe("an offer", () => {
  it("asks for the agreement, is ready by the fact of its signature, and is drawn once", async () => {
    await openLoan(lend([OFFER]));
    await settled(() => words().includes(en.agreement.signFirst));
    expect(links("/information/shou?kind=loan")).toBe(1);
    expect(words()).not.toContain("Draw NT$");
    for (const said of ["16.43", "492.90", "100,492.90"]) expect(words()).toContain(said);

    const signed = { ...OFFER, status: "signed" as const, version: 2 };
    mock("readLoans", () => accepted(lend([signed])));
    await doing(() => emitLoan("loan.signed", signed));
    await settled(() => words().includes("Draw NT$100,000.00"));
    mock("drawLoan", () => accepted(DRAWN));
    mock("readLoans", () => accepted(lend([DRAWN], 80, 10_000_000)));
    await press("Draw NT$100,000.00");
    await settled(() => words().includes(en.loan.unpaid));
    expect(bodies("drawLoan")).toMatchObject([{ loanNo: "L7" }]);
    expect(words()).toContain("100,016.43");
    // The offer is gone with its form: no second message says that something arrived.
    expect(toasts).toEqual([en.operation.OP_LOAN_OK]);
  });

  it("takes the place of its form, which is not told again that something arrived", async () => {
    mock("offerLoan", () => accepted(OFFER));
    shown = await show(<Asking />);
    await press("ask");
    await settled(() => asked && unresolved$.value.length === 0);
    // The message would wait for the same.
    await Promise.all([import("#src/streams/orders.ts"), waitForTranslations()]);
    expect(toasts).toEqual([]);
  });

  it("that has ended can only be replaced", async () => {
    facing({ agreements: ["loan"] });
    await openLoan(lend([{ ...OFFER, status: "signed", offerEndsAt: epochMs(Date.now() - 1) }]));
    await settled(() => words().includes(en.refusal.FUND_LOAN_OFFER_ENDED));
    expect(words()).not.toContain("Draw NT$");
    await press(en.loan.change);
    await settled(() => words().includes(en.loan.form));
  });
});

describe("a repayment", () => {
  it("above the debt is refused at the field with the debt in it, and so is none", async () => {
    await openRepay(lend([DRAWN]));
    for (const said of ["100,016.43", "100,000.00", "16.43", "2026.07.31"]) expect(words()).toContain(said);
    await type("100016.44");
    await submit();
    await settled(() => error() === "The repayment cannot exceed the loan: NT$100,016.43 is owed");
    expect(one(document, "input").value).toBe("100016.44");
    await type("");
    await submit();
    await settled(() => error() === en.refusal.VAL_AMOUNT_EMPTY);
    expect(bodies("repayLoan")).toEqual([]);
  });

  it("of a part clears the field and shows what is left; the server's refusal is at the field", async () => {
    await openRepay(lend([DRAWN]));
    mock("repayLoan", () => refused("FUND_AVAILABLE_INSUFFICIENT", { field: "amount" }));
    await type("16.43");
    await submit();
    await settled(() => error() === en.refusal.FUND_AVAILABLE_INSUFFICIENT);
    const left = { ...DRAWN, interestCents: cents(0), paidInterestCents: cents(1_643), version: 4 };
    mock("repayLoan", () => accepted(left));
    mock("readLoans", () => accepted(lend([left])));
    await submit();
    await settled(() => words().includes("TWD 100,000.00") && one(document, "input").value === "");
    expect(bodies("repayLoan").at(-1)).toMatchObject({ loanNo: "L7", amount: 1_643 });
    expect(toasts).toEqual([en.operation.OP_REPAY_OK]);
  });

  it("says what overdue means, offers the loan of the address, and lists the loans that are over", async () => {
    const over = { ...DRAWN, loanNo: "L3", status: "repaid" as const, principalCents: cents(0), interestCents: cents(0), points: 2 };
    const late = { ...DRAWN, loanNo: "L9", status: "overdue" as const, principalCents: cents(700) };
    await openRepay(lend([DRAWN, late, over]), "/home/loanRe?no=L9");
    expect(words()).toContain(en.loan.overdue);
    expect(words()).toContain("TWD 23.43");
    expect(words()).toContain("+2 points");
    expect(document.querySelectorAll("fieldset label")).toHaveLength(2);
  });

  it("above the wallet is refused before it is sent", async () => {
    mock("readMember", () => accepted({ ...OVERVIEW, availableCents: 1_000 }));
    await openRepay(lend([DRAWN]));
    await settled(() => words().includes("TWD 10.00"));
    await type("10.01");
    await submit();
    await settled(() => error() === en.refusal.FUND_AVAILABLE_INSUFFICIENT);
    expect(bodies("repayLoan")).toEqual([]);
  });

  it("of nothing leads to the loans", async () => {
    await openRepay(lend([]));
    expect(words()).toContain(en.loan.nothing);
    expect(links("/home/loan")).toBe(1);
  });
});

describe("the credit score", () => {
  const changes = [
    { at: epochMs(3_000), points: -10, score: 72, reason: "loanOverdue" as const, loanNo: "L9" },
    { at: epochMs(2_000), points: 2, score: 82, reason: "loanRepaid" as const, loanNo: "L3" },
  ];

  it("shows its band, every band, and each change with its reason", async () => {
    mock("readRules", () => refused("GEN_SYSTEM_BUSY"));
    mock("readCredit", () => accepted({ score: 72, firstScore: 80, openedAt: epochMs(1_000), rule: CREDIT_RULE, changes }));
    shown = await show(<CreditPage />);
    await settled(() => words().includes(en.credit.reason.loanOverdue));
    for (const said of ["Fair · of 100", "Excellent · 90 to 100", "Poor · 0 to 59", "−10", "+2", "L9 · Score 72"])
      expect(words()).toContain(said);
    expect(words().split(en.credit.yours)).toHaveLength(2);
    expect(one(document, "svg[role=img]").getAttribute("aria-label")).toBe("The score went from 80 to 72, between 72 and 82.");
  });

  it("says that nothing has changed it, and what failed", async () => {
    mock("readRules", () => refused("GEN_SYSTEM_BUSY"));
    mock("readCredit", () => broken.status(500));
    shown = await show(<CreditPage />);
    await settled(() => words().includes(en.credit.failed));
    mock("readCredit", () => accepted({ score: 80, firstScore: 80, openedAt: epochMs(1_000), rule: CREDIT_RULE, changes: [] }));
    await press(en.ui.retry);
    await settled(() => words().includes(en.credit.noChange));
  });

  it("is drawn as steps at the moments of its changes", () => {
    expect(scoreCurve({ firstScore: 80, openedAt: 1_000, changes }, 5_000)).toEqual({
      path: "M0 20.00H25.00V18.00H50.00V28.00H100",
      from: 80,
      to: 72,
      low: 72,
      high: 82,
    });
  });
});
