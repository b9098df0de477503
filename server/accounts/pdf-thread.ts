/** The one thread of a process that makes PDF documents. It starts with the first document; one that died is replaced at the next. */
import { Worker } from "node:worker_threads";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import type { SignedDocument } from "./agreements.ts";
import type { PdfAnswer, PdfRequest } from "./document-pdf.ts";

/** Documents that may wait. */
const WAITING = 16;
const gate = new Gate({ atOnce: 1, waiting: WAITING, refusal: "GEN_SYSTEM_BUSY" });
let worker: Worker | null = null;

function start(): Worker {
  const started = new Worker(new URL("./document-pdf.ts", import.meta.url), { name: "documents" });
  started.once("exit", () => {
    if (worker === started) worker = null;
  });
  worker = started;
  return started;
}

function ask(document: SignedDocument): Promise<string> {
  const thread = worker ?? start();
  // Only a document in the making keeps the process alive.
  thread.ref();
  return new Promise<string>((resolve, reject) => {
    const end = (): void => {
      thread.off("message", answer).off("error", fail).off("exit", died);
      thread.unref();
    };
    const answer = (made: PdfAnswer): void => {
      end();
      if ("base64" in made) resolve(made.base64);
      else reject(new Error(made.error));
    };
    const fail = (error: unknown): void => {
      end();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const died = (): void => fail(new Error("the document thread has stopped"));
    thread.on("message", answer).on("error", fail).on("exit", died);
    thread.postMessage({ id: document.id, document } satisfies PdfRequest);
  });
}

/** A signed agreement as a PDF in base64. @throws Refusal `GEN_SYSTEM_BUSY` when too many wait */
export const pdfOf = (document: SignedDocument): Promise<string> => gate.run("all", () => ask(document));
