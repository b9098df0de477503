/**
 * Tells whether a member may do an act and, if not, everything that is missing, in the order the server checks it. The button, the
 * checklist and the server call the same function, so that a screen can say in advance what the server would refuse.
 */
import * as z from "zod/mini";
import type { Kind } from "./instrument.ts";
import { IdentityStatus } from "./identity.ts";
import { Cents, formatMoney } from "./kernel/money.ts";
import type { RefusalCode } from "./kernel/refusal.ts";
import type { RefusalParams } from "./kernel/reply.ts";
import { EpochMs, formatDateTime } from "./kernel/time.ts";

/** What the operator may restrict. A set: each one holds on its own. */
export const RESTRICTIONS = [
  /** No sign-in. */
  "loginBanned",
  /** No sign-in, and open orders are withdrawn. */
  "banned",
  /** Sign in, look and cancel: no new order, no payment. */
  "frozen",
  /** A closed account. */
  "disabled",
  /** Close and cancel only. */
  "tradeBarred",
  "withdrawBarred",
] as const;
export const Restriction = z.enum(RESTRICTIONS);
export type Restriction = z.infer<typeof Restriction>;

/** Agreements a member can sign; each act that needs one names it below. */
export const AGREEMENTS = [
  "dayTrading",
  "margin",
  "lending",
  "futures",
  "options",
  "loan",
  "copy",
  "crypto",
  "subscription",
  "privacy",
] as const;
export const Agreement = z.enum(AGREEMENTS);
export type Agreement = z.infer<typeof Agreement>;

/** Everything about a member that decides what they may do. A new requirement adds a field here and a line in `NEEDS`. */
export const MemberFacts = z.object({
  identity: IdentityStatus,
  restrictions: z.array(Restriction),
  /** Whether a fund password is set. */
  fundPassword: z.boolean(),
  /** Signed and in force. */
  agreements: z.array(Agreement),
  /** Number of the member's verified bank cards. */
  cards: z.int(),
  /** Owed to the broker for losses beyond the member's cash. */
  debtCents: Cents,
  /** Owed on credit loans, interest included. */
  loanCents: Cents,
  /** Below the age of majority. */
  minor: z.boolean(),
  /** Withdrawals are held back until then, because a card, password or device is new; null when they are not. */
  slowedUntil: z.nullable(EpochMs),
});
export type MemberFacts = z.infer<typeof MemberFacts>;

/** The screen where the member can supply what is missing; where it is `/information/kef`, only customer service can. */
export type Remedy =
  | "/information/authInfo"
  | "/information/fundPass"
  | "/information/addBankCard"
  | "/information/shou"
  | "/information/payBag"
  | "/trade/index"
  | "/information/settlements"
  | "/information/credit"
  | "/home/loanRe"
  | "/information/kef";

/** One missing thing: the refusal the server would give, and where to go. `remedy` is null where only time helps. */
export interface Missing {
  code: RefusalCode;
  params: RefusalParams;
  remedy: Remedy | null;
}

/** One requirement: its refusals, and the first of them that applies to these facts. */
interface Need<Facts> {
  codes: readonly RefusalCode[];
  of(facts: Facts): Missing | null;
}

const because = (code: RefusalCode, remedy: Remedy | null, params: RefusalParams = {}): Missing => ({ code, params, remedy });

const unrestricted = (...by: readonly (readonly [Restriction, RefusalCode])[]): Need<{ restrictions: readonly Restriction[] }> => ({
  codes: by.map(([, code]) => code),
  of({ restrictions }) {
    const found = by.find(([restriction]) => restrictions.includes(restriction));
    return found ? because(found[1], "/information/kef") : null;
  },
});

/** What every session needs. */
const signIn = unrestricted(["loginBanned", "ACC_LOGIN_BANNED"], ["banned", "ACC_BANNED"], ["disabled", "ACC_DISABLED"]);
const notFrozen = unrestricted(["frozen", "ACC_FROZEN"]);
const mayTrade = unrestricted(["tradeBarred", "ACC_TRADE_BARRED"]);
const mayWithdraw = unrestricted(["withdrawBarred", "ACC_WITHDRAW_BARRED"]);

const IDENTITY_REFUSAL = {
  unverified: "ACC_REALNAME_REQUIRED",
  underReview: "ACC_REALNAME_PENDING",
  rejected: "ACC_REALNAME_REJECTED",
} as const satisfies Record<Exclude<IdentityStatus, "verified">, RefusalCode>;

const verified: Need<Pick<MemberFacts, "identity">> = {
  codes: Object.values(IDENTITY_REFUSAL),
  of: ({ identity }) => (identity === "verified" ? null : because(IDENTITY_REFUSAL[identity], "/information/authInfo")),
};
const fundPassword: Need<Pick<MemberFacts, "fundPassword">> = {
  codes: ["PWD_FUND_NOT_SET"],
  of: (facts) => (facts.fundPassword ? null : because("PWD_FUND_NOT_SET", "/information/fundPass")),
};
const card: Need<Pick<MemberFacts, "cards">> = {
  codes: ["CARD_NONE"],
  of: ({ cards }) => (cards > 0 ? null : because("CARD_NONE", "/information/addBankCard")),
};
const noDebt: Need<Pick<MemberFacts, "debtCents">> = {
  codes: ["FUND_DEBT_UNPAID"],
  of: ({ debtCents }) => (debtCents > 0 ? because("FUND_DEBT_UNPAID", "/information/payBag", { n: formatMoney(debtCents) }) : null),
};
const debtPaid: Need<Pick<MemberFacts, "debtCents">> = {
  codes: ["FUND_DEBT_BLOCKS_WITHDRAW"],
  of: ({ debtCents }) =>
    debtCents > 0 ? because("FUND_DEBT_BLOCKS_WITHDRAW", "/information/payBag", { n: formatMoney(debtCents) }) : null,
};
const settled: Need<Pick<MemberFacts, "slowedUntil">> = {
  codes: ["FUND_WITHDRAW_SLOWED"],
  of: ({ slowedUntil }) => (slowedUntil === null ? null : because("FUND_WITHDRAW_SLOWED", null, { n: formatDateTime(slowedUntil) })),
};
const adult: Need<Pick<MemberFacts, "minor">> = {
  codes: ["ACC_MINOR"],
  of: ({ minor }) => (minor ? because("ACC_MINOR", null) : null),
};
const signed = (agreement: Agreement): Need<Pick<MemberFacts, "agreements">> => ({
  codes: ["ACC_AGREEMENT_UNSIGNED"],
  of: ({ agreements }) => (agreements.includes(agreement) ? null : because("ACC_AGREEMENT_UNSIGNED", "/information/shou")),
});

const member = [signIn, notFrozen, verified] as const;
const investor = [signIn, notFrozen, mayTrade, verified] as const;

/** The requirements of each act, in the order they are checked. */
const NEEDS = {
  browse: [signIn],
  /** Sign for margin or day trading. */
  openFacility: investor,
  signAgreement: member,
  openMargin: [...investor, adult, signed("margin")],
  openDayTrading: [...investor, signed("dayTrading")],
  /** Close or reduce what is held. */
  close: [signIn, notFrozen],
  trade: [...investor, noDebt],
  /** Open a position in digital currency. */
  tradeCrypto: [...investor, noDebt, adult, signed("crypto")],
  /** Open a position in futures. */
  tradeFutures: [...investor, noDebt, adult, signed("futures")],
  /** Open a position in options. */
  tradeOptions: [...investor, noDebt, adult, signed("options")],
  /** Open a position that is paid for in part, or a short. */
  leverage: [...investor, noDebt, adult],
  addCard: [...member, fundPassword],
  addWalletAddress: [...member, fundPassword],
  deposit: member,
  /** A debt in TWD is paid before money of any currency leaves. */
  withdraw: [signIn, notFrozen, mayWithdraw, verified, fundPassword, card, debtPaid, settled],
  convert: member,
  transfer: member,
  agent: member,
  seat: member,
  checkIn: member,
  lend: [...investor, adult, signed("lending")],
  borrow: [...member, adult, signed("loan"), noDebt],
  subscribe: [...investor, fundPassword, signed("subscription"), noDebt],
  bid: [...investor, fundPassword, signed("subscription"), noDebt],
  /** Pay for what a bid has won. */
  payBid: [signIn, notFrozen, fundPassword],
  follow: [...investor, fundPassword, signed("copy"), noDebt],
  runStrategy: [...investor, fundPassword, noDebt],
} as const;

/** The act of opening a position in an instrument. */
export const openingAct = (kind: Kind | undefined): "trade" | "tradeCrypto" => (kind === "crypto" ? "tradeCrypto" : "trade");

/** What a member can do, as far as it depends on the member. */
export type Act = keyof typeof NEEDS;
export const ACTS = Object.keys(NEEDS) as readonly Act[];

/** The facts that an act depends on. */
export type FactsFor<A extends Act> = [(typeof NEEDS)[A][number]] extends [Need<infer Facts>] ? Facts : never;

/** Everything that an act still needs, in the order the server checks it; empty when the member may do it. */
export function missingFor<A extends Act>(act: A, facts: FactsFor<A>): Missing[] {
  const needs = NEEDS[act] as readonly Need<FactsFor<A>>[];
  return needs.flatMap((need) => need.of(facts) ?? []);
}

/** The refusals an act may meet because of the member, in the order they are checked. */
export function eligibilityRefusals(act: Act): RefusalCode[] {
  return NEEDS[act].flatMap(({ codes }) => codes);
}
