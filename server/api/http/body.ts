/** The text of a call's body, bounded: by the length it states before anything is read, or counted while it comes. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** Reads a body of at most `most` bytes as text; null when it is longer, or its caller hangs up in the middle of it. */
export async function readText(c: Context<{ Bindings: Partial<HttpBindings> }>, most: number): Promise<string | null> {
  const stated = c.req.header("content-length");
  try {
    // Node reads no more of a body than its stated length, and takes whatever follows for the next request.
    if (stated !== undefined) return Number(stated) <= most ? await c.req.text() : null;
    return c.env?.incoming === undefined ? await c.req.text() : await counted(c.env.incoming, most);
  } catch {
    return null;
  }
}

/** A body in chunks says its length only by ending. */
async function counted(body: AsyncIterable<Uint8Array>, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body[Symbol.asyncIterator]();
  // By hand: leaving a `for await` early would destroy the connection that the refusal has to leave by.
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    length += next.value.byteLength;
    if (length > most) return null;
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, length).toString("utf8");
}
