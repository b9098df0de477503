/** Runs in a thread of its own: makes the PDF of a signed agreement, which takes longer than quotes may wait. */
import { parentPort } from "node:worker_threads";
import PdfDocument from "pdfkit";
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH } from "#contract/signature.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { failure } from "#server/kernel/request-thread.ts";
import type { Reply } from "#server/kernel/request-thread.ts";
import type { SignedDocument } from "./agreements.ts";
import { PdfFont } from "./pdf-font.ts";

export interface PdfRequest {
  document: SignedDocument;
}

const MARGIN = 56;
const LINE = 1.6;
/** Width of the signature on the page, and room for the whole block around it, in points. */
const SIGNATURE_PT = 220;
const SIGNATURE_BLOCK_PT = 230;

/** What stays on one line: a Latin word, or a character with the punctuation that may not be parted from it. */
const ATOM = /[（「『]*(?:[\u0021-\u024f]+|[^\u0021-\u024f\s（「『])[，。、；：？！）」』]*|[\s（「『]/gu;

type Pdf = InstanceType<typeof PdfDocument>;

/** A document and its typeface. */
interface Page {
  pdf: Pdf;
  font: PdfFont;
}

function widthOf({ pdf, font }: Page, line: string): number {
  let width = 0;
  for (const part of font.runs(line)) width += pdf.font(part.font).widthOfString(part.run);
  return width;
}

/** Writes a paragraph at the current place, over as many lines and pages as it takes. */
function paragraph(page: Page, text: string, size: number): void {
  const { pdf } = page;
  pdf.fontSize(size);
  const room = pdf.page.width - 2 * MARGIN;
  const lines: string[] = [];
  let line = "";
  for (const [atom] of text.matchAll(ATOM)) {
    if (line !== "" && widthOf(page, line + atom) > room) {
      lines.push(line);
      line = "";
    }
    line += atom;
  }
  for (const one of [...lines, line]) {
    if (pdf.y + size * LINE > pdf.page.height - MARGIN) pdf.addPage();
    const { y } = pdf;
    let x = MARGIN;
    for (const { font, run } of page.font.runs(one)) {
      pdf.font(font).text(run, x, y, { lineBreak: false });
      x += pdf.widthOfString(run);
    }
    pdf.x = MARGIN;
    pdf.y = y + size * LINE;
  }
  pdf.y += size * (LINE - 1);
}

function drawSignature(page: Page, { strokes, name }: SignedDocument): void {
  const { pdf } = page;
  if (!strokes) {
    paragraph(page, name, 20);
    paragraph(page, "（以鍵入姓名簽署）", 9);
    return;
  }
  const { y } = pdf;
  const scale = SIGNATURE_PT / SIGNATURE_WIDTH;
  pdf.save().translate(MARGIN, y).scale(scale).lineWidth(4).lineCap("round").lineJoin("round");
  for (const [first, ...rest] of strokes) {
    if (!first) continue;
    pdf.moveTo(...first);
    for (const point of rest) pdf.lineTo(...point);
    pdf.stroke();
  }
  pdf.restore();
  pdf.y = y + SIGNATURE_HEIGHT * scale + 4;
}

function write(page: Page, document: SignedDocument): void {
  const { pdf } = page;
  const { text, account, name, signedAt, hash, readHash, session } = document;
  paragraph(page, text.title, 18);
  paragraph(page, `版本 ${text.version}，模擬環境文件`, 9);
  text.points.forEach((point, at) => paragraph(page, `${at + 1}. ${point}`, 11));
  if (pdf.y > pdf.page.height - MARGIN - SIGNATURE_BLOCK_PT) pdf.addPage();
  paragraph(page, "立約人簽名", 11);
  drawSignature(page, document);
  paragraph(page, `姓名：${name}，帳號：${account}`, 9);
  paragraph(page, `簽署時間：${formatDateTime(signedAt)}（臺北時間），連線：${session}`, 9);
  paragraph(page, `本文雜湊值 SHA-256： ${hash}`, 9);
  if (readHash !== hash) paragraph(page, `簽署時閱讀之譯本 SHA-256： ${readHash}`, 9);
}

/** The PDF of a signed agreement. */
export function makePdf(document: SignedDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pdf = new PdfDocument({
      size: "A4",
      margin: MARGIN,
      lang: "zh-TW",
      info: { Title: document.text.title, Subject: document.hash, CreationDate: new Date(document.signedAt) },
    });
    const parts: Buffer[] = [];
    pdf.on("data", (part: Buffer) => parts.push(part));
    pdf.on("end", () => resolve(Buffer.concat(parts)));
    pdf.on("error", reject);
    write({ pdf, font: new PdfFont(pdf) }, document);
    pdf.end();
  });
}

parentPort?.on("message", ({ id, document }: PdfRequest & { id: number }) => {
  const post = (reply: Reply<string>): void => parentPort?.postMessage(reply);
  makePdf(document).then(
    (made) => post({ id, answer: made.toString("base64") }),
    (error: unknown) => post(failure(id, error)),
  );
});
