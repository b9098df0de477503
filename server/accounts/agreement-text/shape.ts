/** The shape of one language's agreements. */
import type { Agreement } from "#contract/eligibility.ts";

/** The agreements of one language. `general` closes each of them. */
export type AgreementTexts = Record<Agreement, { title: string; points: readonly string[] }> & { general: readonly string[] };
