/** Kysely types of agreements and their signed texts. */
import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely";
import type { AgreementLanguage } from "#contract/agreement.ts";
import type { Strokes } from "#contract/signature.ts";
import type { Agreement } from "#contract/eligibility.ts";

export interface AgreementTextTable {
  hash: string;
  kind: Agreement;
  version: number;
  language: AgreementLanguage;
  title: string;
  points: JSONColumnType<string[]>;
}

export interface AgreementTable {
  id: GeneratedAlways<number>;
  member_id: number;
  kind: Agreement;
  version: number;
  text_hash: string;
  read_hash: string;
  signed_at: number;
  session_hash: string;
  name: string;
  strokes: ColumnType<Strokes | null, string | null, never>;
}
