/** Tests what each act needs: every combination of missing things, in the order of the refusals, with the way out of each. */
import { describe, expect, it } from "vitest";
import { ACTS, AGREEMENTS, eligibilityRefusals, missingFor, RESTRICTIONS } from "#contract/eligibility.ts";
import type { Act, FactsFor, MemberFacts, Missing } from "#contract/eligibility.ts";
import { IDENTITY_STATUSES } from "#contract/identity.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { sessionEndpoints } from "#contract/session.ts";

/** A member who may do everything. */
const COMPLETE: MemberFacts = {
  identity: "verified",
  restrictions: [],
  fundPassword: true,
  agreements: [...AGREEMENTS],
  cards: 1,
  debtCents: cents(0),
  loanCents: cents(0),
  minor: false,
  slowedUntil: null,
};
/** One change for each thing that can be missing. */
const LACKS: readonly Partial<MemberFacts>[] = [
  ...IDENTITY_STATUSES.filter((status) => status !== "verified").map((identity) => ({ identity })),
  ...RESTRICTIONS.map((restriction) => ({ restrictions: [restriction] })),
  { fundPassword: false },
  { agreements: [] },
  { cards: 0 },
  { debtCents: cents(1_050) },
  { minor: true },
  { slowedUntil: epochMs(Date.UTC(2026, 6, 1, 2)) },
];
const missing = (act: Act, facts: MemberFacts): Missing[] => missingFor(act, facts as FactsFor<Act>);
const codes = (act: Act, facts: MemberFacts): string[] => missing(act, facts).map(({ code }) => code);

/** Every combination of facts: all sets of restrictions, every identity, and everything else present or missing. */
const COMBINATIONS: readonly MemberFacts[] = Array.from({ length: 2 ** RESTRICTIONS.length }, (_, set) =>
  RESTRICTIONS.filter((_restriction, at) => (set >> at) % 2 === 1),
).flatMap((restrictions) =>
  IDENTITY_STATUSES.flatMap((identity) =>
    Array.from({ length: 2 ** 6 }, (_, set) => ({
      ...COMPLETE,
      restrictions,
      identity,
      fundPassword: set % 2 === 0,
      agreements: (set >> 1) % 2 === 0 ? [...AGREEMENTS] : [],
      cards: (set >> 2) % 2 === 0 ? 1 : 0,
      debtCents: cents((set >> 3) % 2 === 0 ? 0 : 1_050),
      slowedUntil: (set >> 4) % 2 === 0 ? null : epochMs(Date.UTC(2026, 6, 1, 2)),
      minor: (set >> 5) % 2 === 1,
    })),
  ),
);

describe.each(ACTS)("%s", (act) => {
  it("names what is missing in the order of its refusals, each once, for every combination of facts", () => {
    const order: readonly string[] = eligibilityRefusals(act);
    const wrong = COMBINATIONS.filter((facts) => {
      const places = codes(act, facts).map((code) => order.indexOf(code));
      return places.some((place, at) => place < 0 || (at > 0 && place <= (places[at - 1] ?? 0)));
    });
    expect(wrong).toEqual([]);
  });

  it("needs nothing more of a member who has everything", () => expect(missing(act, COMPLETE)).toEqual([]));

  it("lists every missing thing once, in the order of its refusals, for each pair of them", () => {
    const order = eligibilityRefusals(act);
    const found = new Set<string>();
    for (const one of LACKS) {
      for (const other of LACKS) {
        const restrictions = [...(one.restrictions ?? []), ...(other.restrictions ?? [])];
        const all = codes(act, { ...COMPLETE, ...one, ...other, restrictions });
        expect(all).toEqual(order.filter((code) => all.includes(code)));
        for (const code of all) found.add(code);
      }
    }
    expect([...found].toSorted()).toEqual(order.toSorted());
  });
});

describe("what is missing", () => {
  const BROWSE = ["ACC_LOGIN_BANNED", "ACC_BANNED", "ACC_DISABLED"];
  const IDENTITY = ["ACC_REALNAME_REQUIRED", "ACC_REALNAME_PENDING", "ACC_REALNAME_REJECTED"];

  it.each([
    ["browse", BROWSE],
    ["close", [...BROWSE, "ACC_FROZEN"]],
    ["trade", [...BROWSE, "ACC_FROZEN", "ACC_TRADE_BARRED", ...IDENTITY, "FUND_DEBT_UNPAID"]],
    ["addCard", [...BROWSE, "ACC_FROZEN", ...IDENTITY, "PWD_FUND_NOT_SET"]],
    ["addWalletAddress", [...BROWSE, "ACC_FROZEN", ...IDENTITY, "PWD_FUND_NOT_SET"]],
    ["deposit", [...BROWSE, "ACC_FROZEN", ...IDENTITY]],
    [
      "withdraw",
      [
        ...BROWSE,
        "ACC_FROZEN",
        "ACC_WITHDRAW_BARRED",
        ...IDENTITY,
        "PWD_FUND_NOT_SET",
        "CARD_NONE",
        "FUND_DEBT_BLOCKS_WITHDRAW",
        "FUND_WITHDRAW_SLOWED",
      ],
    ],
    ["lend", [...BROWSE, "ACC_FROZEN", "ACC_TRADE_BARRED", ...IDENTITY, "ACC_MINOR", "ACC_AGREEMENT_UNSIGNED"]],
    ["borrow", [...BROWSE, "ACC_FROZEN", ...IDENTITY, "ACC_MINOR", "ACC_AGREEMENT_UNSIGNED", "FUND_DEBT_UNPAID"]],
    [
      "subscribe",
      [...BROWSE, "ACC_FROZEN", "ACC_TRADE_BARRED", ...IDENTITY, "PWD_FUND_NOT_SET", "ACC_AGREEMENT_UNSIGNED", "FUND_DEBT_UNPAID"],
    ],
  ] as const)("for %s is one of %j", (act, expected) => expect(eligibilityRefusals(act)).toEqual(expected));

  it("to browse is what signing in is refused for", () => {
    expect(sessionEndpoints.signIn.refusals.slice(-3)).toEqual(eligibilityRefusals("browse"));
  });

  it("leads to the screen that supplies it", () => {
    const newcomer: MemberFacts = { ...COMPLETE, identity: "unverified", fundPassword: false, cards: 0 };
    expect(missing("withdraw", newcomer).map(({ remedy }) => remedy)).toEqual([
      "/information/authInfo",
      "/information/fundPass",
      "/information/addBankCard",
    ]);
    expect(missing("trade", { ...COMPLETE, restrictions: ["tradeBarred"] })).toEqual([
      { code: "ACC_TRADE_BARRED", params: {}, remedy: "/information/kef" },
    ]);
  });

  it("says how much is owed, and until when a change holds withdrawals back", () => {
    expect(missing("trade", { ...COMPLETE, debtCents: cents(1_050) })).toMatchObject([{ params: { n: "10.50" } }]);
    const slowedUntil = epochMs(Date.UTC(2026, 6, 1, 2));
    expect(missing("withdraw", { ...COMPLETE, slowedUntil })).toEqual([
      { code: "FUND_WITHDRAW_SLOWED", params: { n: "2026.07.01 10:00:00" }, remedy: null },
    ]);
  });
});
