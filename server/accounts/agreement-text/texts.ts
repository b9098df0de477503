/** The agreements' texts by language, and the fingerprint that proves a text unchanged. */
import { createHash } from "node:crypto";
import type { AgreementLanguage } from "#contract/agreement.ts";
import type { Agreement } from "#contract/eligibility.ts";
import type { AgreementTexts } from "./shape.ts";
import { af } from "./af.ts";
import { en } from "./en.ts";
import { xh } from "./xh.ts";
import { zhCN } from "./zh-cn.ts";
import { zhTW } from "./zh-tw.ts";
import { zu } from "./zu.ts";

/** The text in force of each agreement. A changed text needs a higher number, so that members sign it again. */
export const VERSIONS: Record<Agreement, number> = {
  dayTrading: 1,
  margin: 1,
  lending: 1,
  futures: 1,
  options: 1,
  loan: 1,
  copy: 2,
  crypto: 1,
  subscription: 1,
  privacy: 1,
};

const texts: Record<AgreementLanguage, AgreementTexts> = { en, af, zu, xh, "zh-TW": zhTW, "zh-CN": zhCN };
/** The language whose text binds. */
export const BINDING: AgreementLanguage = "zh-TW";

/** One agreement as it is read, signed and stored. */
export interface AgreementText {
  kind: Agreement;
  version: number;
  language: AgreementLanguage;
  title: string;
  points: readonly string[];
}

export function agreementText(kind: Agreement, language: AgreementLanguage): AgreementText {
  const { title, points } = texts[language][kind];
  return { kind, version: VERSIONS[kind], language, title, points: [...points, ...texts[language].general] };
}

/** The SHA-256 of a text in hex, over everything that is signed, in one order. */
export function hashOfText({ kind, version, language, title, points }: AgreementText): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, version, language, title, ...points]))
    .digest("hex");
}
