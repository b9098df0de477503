/** Reads a request body as text with a size limit: by its stated length before reading, or counted while it arrives. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

export const BODY_LIMIT_BYTES = 64 * 1024;

/** Reads a body of at most `maxBytes` as text; null when it is longer or the caller disconnects before its end. */
export async function readText(c: Context<{ Bindings: Partial<HttpBindings> }>, maxBytes: number): Promise<string | null> {
  const stated = c.req.header("content-length");
  try {
    // Node reads at most the stated length and treats the rest as the next request.
    if (stated !== undefined) return Number(stated) <= maxBytes ? await c.req.text() : null;
    return c.env?.incoming === undefined ? await c.req.text() : await readCounted(c.env.incoming, maxBytes);
  } catch {
    return null;
  }
}

/** Reads a chunked body, whose length is only known at its end. */
async function readCounted(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body[Symbol.asyncIterator]();
  // Not `for await`: leaving it early would destroy the connection on which the refusal has to be sent.
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    length += next.value.byteLength;
    if (length > maxBytes) return null;
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, length).toString("utf8");
}
