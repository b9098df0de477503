/** Agreements between member and broker: their texts, the signature, and the signed document. */
import * as z from "zod/mini";
import { Agreement, eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { EpochMs } from "./kernel/time.ts";
import { Strokes } from "./signature.ts";

/** The languages of the texts; that in Traditional Chinese binds. */
export const AGREEMENT_LANGUAGES = ["en", "af", "zu", "xh", "zh-TW", "zh-CN"] as const;
export const AgreementLanguage = z.enum(AGREEMENT_LANGUAGES);
export type AgreementLanguage = z.infer<typeof AgreementLanguage>;

/** SHA-256 in hex. */
const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const AgreementSummary = z.object({
  kind: Agreement,
  title: z.string(),
  version: z.int(),
  /** When the member signed the version in force; null until then. */
  signedAt: z.nullable(EpochMs),
  /** The signed document; null where none exists, also for consent given before documents were kept. */
  id: z.nullable(z.int()),
});
export type AgreementSummary = z.infer<typeof AgreementSummary>;

export const AgreementText = z.object({
  kind: Agreement,
  version: z.int(),
  title: z.string(),
  points: z.array(z.string()),
  /** The fingerprint of the binding text, which is what gets signed. */
  hash: Hash,
  /** The name that a typed signature must have. */
  name: z.string(),
});
export type AgreementText = z.infer<typeof AgreementText>;

export const agreementEndpoints = {
  listAgreements: endpoint({
    path: "/agreement/list",
    access: "member",
    does: "List every agreement with its title in a language, and when the member signed it.",
    body: z.object({ language: AgreementLanguage }),
    data: z.array(AgreementSummary),
    refusals: [],
  }),
  readAgreement: endpoint({
    path: "/agreement/read",
    access: "member",
    does: "Read the text in force of an agreement in a language.",
    body: z.object({ kind: Agreement, language: AgreementLanguage }),
    data: AgreementText,
    refusals: [],
  }),
  signAgreement: endpoint({
    path: "/agreement/sign",
    access: "member",
    does: "Sign the text in force by hand or by typing the verified name; signing it again keeps the first signature.",
    body: z.object({
      kind: Agreement,
      language: AgreementLanguage,
      hash: Hash,
      readToEnd: z.literal(true, "VAL_PRIVACY_REQUIRED"),
      /** Empty for a drawn signature. */
      typedName: z.string().check(z.maxLength(60)),
      /** Empty for a typed signature. */
      strokes: Strokes,
    }),
    data: AgreementSummary,
    refusals: [
      "VAL_PRIVACY_REQUIRED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("signAgreement"),
      "GEN_NOT_FOUND",
      "GEN_FORM_INCOMPLETE",
      "VAL_NAME_DIFFERS",
    ],
  }),
  readAgreementDocument: endpoint({
    path: "/agreement/document",
    access: "member",
    does: "Read a signed agreement as a PDF document with its fingerprint.",
    body: z.object({ id: z.int() }),
    data: z.object({ name: z.string(), base64: z.string() }),
    refusals: ["GEN_NOT_FOUND", "GEN_TOO_FREQUENT"],
  }),
};
