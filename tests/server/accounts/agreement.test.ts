/** Tests agreements on the real database: what a signature needs, that the signed text cannot change, and the PDF read back. */
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGREEMENT_LANGUAGES } from "#contract/agreement.ts";
import { AGREEMENTS } from "#contract/eligibility.ts";
import { agreementText, hashOfText } from "#server/accounts/agreement-text/texts.ts";
import { isUnchanged, readDocument } from "#server/accounts/agreements.ts";
import { query } from "#server/db/database.ts";
import { signByHand, STROKES } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const NAME = "王小明";
const textOf = (kind: (typeof AGREEMENTS)[number], id: number) => broker.call("readAgreement", id, { kind, language: "zu" });
/** The fingerprints of the released texts: a changed text needs a higher version. */
const RELEASED = [
  "dayTrading b6ade31e7ffa9af2",
  "margin e6a6b7d63fae8f24",
  "lending ef80a8e638c91f4e",
  "futures 7c9134c3cf4867d7",
  "options d4309d63b88df8a3",
  "loan 3e6e840e6cfc0e32",
  "copy ea1072b7429307fc",
  "crypto f91c6f65a3e88b2a",
  "subscription 212adc4748dba2fe",
  "privacy 25ccf06bcc17e19c",
];

async function pdfText(memberId: number, id: number): Promise<{ name: string; text: string; pages: number; bytes: number }> {
  const { name, base64 } = await broker.call("readAgreementDocument", memberId, { id });
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  const size = bytes.length;
  const { text, totalPages } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  // Lines wrap anywhere in Chinese.
  return { name, text: text.normalize("NFKC").replaceAll(/\s+/g, ""), pages: totalPages, bytes: size };
}

describe("the texts", () => {
  it("have the same points in every language, and the translations say which one binds", () => {
    for (const kind of AGREEMENTS) {
      const binding = agreementText(kind, "zh-TW");
      for (const language of AGREEMENT_LANGUAGES) {
        const { title, points } = agreementText(kind, language);
        expect(title).not.toBe("");
        expect(points).toHaveLength(binding.points.length);
        if (language !== "zh-TW") expect(points.join()).not.toBe(binding.points.join());
      }
      expect(binding.points.join()).toContain("以繁體中文版本為準");
    }
  });

  it("are those that were released", () => {
    const all = AGREEMENTS.map((kind) => `${kind} ${hashOfText(agreementText(kind, "zh-TW")).slice(0, 16)}`);
    expect(all).toEqual(RELEASED);
  });
});

describe("signing", () => {
  it("needs a verified name, the text in force, and a signature that is the member's", async () => {
    const id = await broker.newMember();
    const { hash, name } = await textOf("loan", id);
    expect(name).toBe(NAME);
    const sign = (over: object, member = id) =>
      refusalOf(
        broker.call("signAgreement", member, { kind: "loan", language: "zu", hash, readToEnd: true, typedName: "", strokes: [], ...over }),
      );
    expect(await sign({}, await broker.newMember({ identity: "unverified" }))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    expect(await sign({ hash: "0".repeat(64), strokes: STROKES })).toMatchObject({ code: "GEN_NOT_FOUND", field: "hash" });
    expect(await sign({})).toMatchObject({ code: "GEN_FORM_INCOMPLETE", field: "typedName" });
    expect(await sign({ typedName: "王大明" })).toMatchObject({ code: "VAL_NAME_DIFFERS", field: "typedName" });
    expect(await sign({ strokes: [[[1, 1]]] })).toMatchObject({ code: "GEN_FORM_INCOMPLETE", field: "strokes" });
    const list = await broker.call("listAgreements", id, { language: "en" });
    expect(list.map(({ kind }) => kind)).toEqual([...AGREEMENTS]);
    expect(list.filter(({ signedAt }) => signedAt !== null)).toEqual([]);
  });

  it("happens once: a second signature keeps the first", async () => {
    const id = await broker.newMember();
    const first = await signByHand(broker, id, "copy");
    expect(first).toMatchObject({ kind: "copy", signedAt: broker.clock.now, version: 2 });
    broker.clock.now += 5_000;
    expect(await signByHand(broker, id, "copy")).toEqual(first);
  });

  it("keeps the text under its fingerprint, and the database refuses to change either", async () => {
    const id = await broker.newMember();
    const { id: agreement } = await signByHand(broker, id, "futures");
    const change = (sql: string) => query(broker.db.kysely, sql).then(() => "changed", String);
    expect(await change("UPDATE agreement_text SET points = '[]' WHERE kind = 'futures'")).toContain("never changes");
    expect(await change("DELETE FROM agreement_text WHERE kind = 'futures'")).toContain("never changes");
    expect(await change(`UPDATE agreement SET name = 'X' WHERE id = ${agreement}`)).toContain("never changes");
    const document = await readDocument(broker.db.kysely, id, agreement ?? 0);
    expect(isUnchanged(document)).toBe(true);
    const [first = "", ...rest] = document.text.points;
    expect(isUnchanged({ ...document, text: { ...document.text, points: [`${first} `, ...rest] } })).toBe(false);
  });
});

describe("the document", () => {
  it("is a PDF with the whole Chinese text, the signer, the time and the fingerprint", async () => {
    const id = await broker.newMember();
    const { hash } = await textOf("margin", id);
    const signed = await broker.call("signAgreement", id, {
      kind: "margin",
      language: "zu",
      hash,
      readToEnd: true,
      typedName: " 王小明 ",
      strokes: [],
    });
    const { text, name, bytes } = await pdfText(id, signed.id ?? 0);
    const { title, points } = agreementText("margin", "zh-TW");
    for (const part of [title, ...points, NAME, hash]) expect(text).toContain(part.normalize("NFKC").replaceAll(/\s+/g, ""));
    expect(text).toContain(hashOfText(agreementText("margin", "zu")));
    expect(name).toMatch(/^margin-v1-.*\.pdf$/);
    // Only the characters in use are embedded: the whole font is a megabyte.
    expect(bytes).toBeLessThan(250_000);
  });

  it("has the rare characters of a name", async () => {
    const id = await broker.newMember();
    await query(broker.db.kysely, "UPDATE member SET name = '游錫堃' WHERE id = $1", [id]);
    const { id: agreement } = await signByHand(broker, id, "copy");
    expect((await pdfText(id, agreement ?? 0)).text).toContain("游錫堃");
  });

  it("shows a drawn signature as lines, and is given to nobody else", async () => {
    const id = await broker.newMember();
    const { id: agreement } = await signByHand(broker, id, "privacy");
    expect((await pdfText(id, agreement ?? 0)).text).not.toContain("鍵入姓名");
    const other = await broker.newMember();
    expect(await refusalOf(broker.call("readAgreementDocument", other, { id: agreement ?? 0 }))).toMatchObject({ code: "GEN_NOT_FOUND" });
  });
});
