/** The one thread of a process that makes PDF documents, one after the other. */
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { RequestThread } from "#server/kernel/request-thread.ts";
import type { SignedDocument } from "./agreements.ts";
import type { PdfRequest } from "./document-pdf.ts";

/** Documents that may wait. */
const WAITING = 16;
const gate = new Gate({ atOnce: 1, waiting: WAITING, refusal: "GEN_SYSTEM_BUSY" });
const thread = new RequestThread<PdfRequest, string>(new URL("./document-pdf.ts", import.meta.url), "document");

/** A signed agreement as a PDF in base64. @throws Refusal `GEN_SYSTEM_BUSY` when too many wait */
export const pdfOf = (document: SignedDocument): Promise<string> => gate.run("all", () => thread.ask({ document }));
