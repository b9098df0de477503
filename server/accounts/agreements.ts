/** Lists, signs and proves agreements: what was signed is kept with its fingerprint, and never changes. */
import { AGREEMENTS } from "#contract/eligibility.ts";
import type { Agreement } from "#contract/eligibility.ts";
import type { AgreementLanguage, AgreementSummary } from "#contract/agreement.ts";
import { isSignature } from "#contract/signature.ts";
import type { Strokes } from "#contract/signature.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { lockMember } from "#server/db/member-lock.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { agreementText, BINDING, hashOfText, VERSIONS } from "./agreement-text/texts.ts";
import type { AgreementText } from "./agreement-text/texts.ts";

export interface Signing {
  kind: Agreement;
  language: AgreementLanguage;
  /** The fingerprint of the text that the member saw. */
  hash: string;
  typedName: string;
  strokes: Strokes;
}

interface SignedRow {
  id: number | null;
  kind: Agreement;
  signed_at: number;
}

/** Signed in the form in force, or given before documents were kept: margin and day trading were agreed to by a checkbox then. */
const SIGNED = `
SELECT DISTINCT ON (kind) id, kind, signed_at FROM (
  SELECT id::integer AS id, kind, signed_at FROM agreement WHERE member_id = $1 AND version = ($2::jsonb ->> kind)::integer
  UNION ALL SELECT NULL, 'dayTrading', day_signed_at FROM trader WHERE member_id = $1 AND day_signed_at IS NOT NULL
  UNION ALL SELECT NULL, 'margin', coalesce(margin_applied_at, 0) FROM trader WHERE member_id = $1 AND margin_status = 'approved'
) AS signed ORDER BY kind, id NULLS LAST`;

/** The agreements in force that a member has signed. */
export const readSigned = (on: Reader, memberId: number): Promise<SignedRow[]> =>
  query<SignedRow>(on, SIGNED, [memberId, JSON.stringify(VERSIONS)]);

export async function listAgreements(on: Reader, memberId: number, language: AgreementLanguage): Promise<AgreementSummary[]> {
  const signed = new Map((await readSigned(on, memberId)).map((row) => [row.kind, row]));
  return AGREEMENTS.map((kind) => {
    const { title, version } = agreementText(kind, language);
    const row = signed.get(kind);
    return { kind, title, version, signedAt: row ? epochMs(row.signed_at) : null, id: row?.id ?? null };
  });
}

const KEEP_TEXT = `INSERT INTO agreement_text (hash, kind, version, language, title, points) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO NOTHING`;

async function keepText(tx: Tx, text: AgreementText): Promise<string> {
  const hash = hashOfText(text);
  await query(tx, KEEP_TEXT, [hash, text.kind, text.version, text.language, text.title, JSON.stringify(text.points)]);
  return hash;
}

/** @throws Refusal when there is neither a signature that is drawn far enough nor the member's own name */
function checkSignature({ typedName, strokes }: Signing, name: string): void {
  if (strokes.length > 0) {
    if (!isSignature(strokes)) throw new Refusal("GEN_FORM_INCOMPLETE", {}, "strokes");
    return;
  }
  const typed = typedName.normalize("NFC").replaceAll(/\s+/g, "");
  if (typed === "") throw new Refusal("GEN_FORM_INCOMPLETE", {}, "typedName");
  if (typed !== name.normalize("NFC").replaceAll(/\s+/g, "")) throw new Refusal("VAL_NAME_DIFFERS", {}, "typedName");
}

const SIGN = `INSERT INTO agreement (member_id, kind, version, text_hash, read_hash, signed_at, session_hash, name, strokes)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (member_id, kind, version) DO NOTHING`;

/** Who signs, when and in which session. */
export interface Signer {
  memberId: number;
  sessionHash: string;
  at: number;
}

/**
 * Signs an agreement; the first signature stays.
 * @throws Refusal `GEN_NOT_FOUND` when the text was replaced since the member read it, and those of `signAgreement`
 */
export async function signAgreement(db: Database, { memberId, sessionHash, at }: Signer, signing: Signing): Promise<AgreementSummary> {
  const { kind, language, hash, strokes } = signing;
  return db.transaction(async (tx) => {
    await lockMember(tx, memberId);
    const { identity, restrictions, name } = await tx
      .selectFrom("member")
      .select(["identity", "restrictions", "name"])
      .where("id", "=", memberId)
      .executeTakeFirstOrThrow();
    checkEligible("signAgreement", { identity, restrictions });
    const binding = agreementText(kind, BINDING);
    if (hashOfText(binding) !== hash) throw new Refusal("GEN_NOT_FOUND", {}, "hash");
    checkSignature(signing, name);
    const textHash = await keepText(tx, binding);
    const readHash = await keepText(tx, agreementText(kind, language));
    const drawn = strokes.length > 0 ? JSON.stringify(strokes) : null;
    await query(tx, SIGN, [memberId, kind, VERSIONS[kind], textHash, readHash, at, sessionHash, name, drawn]);
    const summary = (await listAgreements(tx, memberId, language)).find((one) => one.kind === kind);
    if (!summary) throw new Refusal("GEN_NOT_FOUND");
    return summary;
  });
}

/** A signed agreement with the texts as they were signed. */
export interface SignedDocument {
  id: number;
  account: string;
  name: string;
  signedAt: number;
  strokes: Strokes | null;
  hash: string;
  readHash: string;
  session: string;
  /** The binding text. */
  text: AgreementText;
}

interface DocumentRow extends Omit<SignedDocument, "text" | "readHash"> {
  read_hash: string;
  kind: Agreement;
  version: number;
  language: AgreementLanguage;
  title: string;
  points: string[];
}

const DOCUMENT = `
SELECT agreement.id::integer AS id, account, agreement.name, signed_at AS "signedAt", strokes, text_hash AS hash, read_hash,
  substr(session_hash, 1, 12) AS session, agreement_text.kind, agreement_text.version, language, title, points
FROM agreement JOIN member ON member.id = member_id JOIN agreement_text ON hash = text_hash
WHERE member_id = $1 AND agreement.id = $2`;

/** Tells whether the stored text of a signed document still has its fingerprint. */
export const isUnchanged = ({ text, hash }: Pick<SignedDocument, "text" | "hash">): boolean => hashOfText(text) === hash;

/**
 * A member's signed document, checked against its fingerprint.
 * @throws Refusal `GEN_NOT_FOUND`; an Error when the stored text was changed
 */
export async function readDocument(on: Reader, memberId: number, id: number): Promise<SignedDocument> {
  const [row] = await query<DocumentRow>(on, DOCUMENT, [memberId, id]);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "id");
  const { kind, version, language, title, points, read_hash: readHash, ...signed } = row;
  const document = { ...signed, readHash, text: { kind, version, language, title, points } };
  if (!isUnchanged(document)) throw new Error(`the text of agreement ${id} does not have its fingerprint`);
  return document;
}
