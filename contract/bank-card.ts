/** Bank cards: the member's own bank accounts, which withdrawals are paid to. Only the last digits of a number are ever shown. */
import * as z from "zod/mini";
import { isBankCode } from "./bank.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";
import { FundPassword } from "./secret.ts";

/** The most cards a member keeps. */
export const MAX_CARDS = 10;

export const CardId = z.string("VAL_CARD_REQUIRED").check(z.regex(/^B\d{1,12}$/, "VAL_CARD_REQUIRED"));

export const BankCard = z.object({
  cardId: CardId,
  bankCode: z.string(),
  branch: z.string(),
  branchCode: z.string(),
  /** The holder, always the member, with the middle masked. */
  holder: z.string(),
  /** All but the last four digits masked. */
  number: z.string(),
  isDefault: z.boolean(),
  /** A withdrawal is on its way to it, so it cannot be removed. */
  isInUse: z.boolean(),
  addedAt: EpochMs,
});
export type BankCard = z.infer<typeof BankCard>;

/** Ten to sixteen digits, and not one digit only. */
export function isAccountNumber(text: string): boolean {
  return /^\d{10,16}$/.test(text) && new Set(text).size > 1;
}

/** All but the last four digits as dots. */
export function maskNumber(number: string): string {
  return `•••• ${number.slice(-4)}`;
}

const digitsOnly = z.pipe(
  z.string("CARD_NUMBER_INVALID"),
  z.transform((text: string) => text.replaceAll(/[\s-]/g, "")),
);
/** The number as typed: blanks and hyphens are dropped. */
const CardNumber = z.pipe(digitsOnly, z.string().check(z.refine(isAccountNumber, "CARD_NUMBER_INVALID")));

export const bankCardEndpoints = {
  listCards: endpoint({
    path: "/cards/list",
    access: "member",
    does: "List the member's bank cards, the default one first.",
    body: z.object({}),
    data: z.object({ holder: z.string(), cards: z.array(BankCard) }),
    refusals: [],
  }),
  addCard: endpoint({
    path: "/cards/add",
    access: "member",
    does: "Add a bank card in the member's own name; withdrawals wait some hours after it.",
    body: z.object({
      requestId: RequestId,
      bankCode: z.string("GEN_FORM_INCOMPLETE").check(z.refine(isBankCode, "GEN_FORM_INCOMPLETE")),
      branch: z
        .string("GEN_FORM_INCOMPLETE")
        .check(z.trim(), z.minLength(1, "GEN_FORM_INCOMPLETE"), z.maxLength(40, "GEN_FORM_INCOMPLETE")),
      branchCode: z.string("GEN_FORM_INCOMPLETE").check(z.regex(/^\d{4}$/, "GEN_FORM_INCOMPLETE")),
      cardNumber: CardNumber,
      fundPassword: FundPassword,
    }),
    data: BankCard,
    refusals: [
      "GEN_FORM_INCOMPLETE",
      "CARD_NUMBER_INVALID",
      "VAL_FUND_DIGITS",
      "PWD_FUND_LOCKED",
      "PWD_FUND_WRONG",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("addCard"),
      "GEN_LIST_FULL",
      "CARD_EXISTS",
    ],
  }),
  setDefaultCard: endpoint({
    path: "/cards/default",
    access: "member",
    does: "Make a card the default one.",
    body: z.object({ requestId: RequestId, cardId: CardId }),
    data: BankCard,
    refusals: ["VAL_CARD_REQUIRED", "GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", "CARD_NOT_FOUND", "CARD_NOT_OWNED"],
  }),
  removeCard: endpoint({
    path: "/cards/remove",
    access: "member",
    does: "Remove a card that no withdrawal is on its way to.",
    body: z.object({ requestId: RequestId, cardId: CardId }),
    data: z.object({ cardId: CardId }),
    refusals: ["VAL_CARD_REQUIRED", "GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", "CARD_NOT_FOUND", "CARD_NOT_OWNED", "CARD_IN_USE"],
  }),
};
