/** Serves the built client: known files only, held in memory, compressed once, cached by the browser. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const MEDIA: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
/** Already compressed formats. */
const PRECOMPRESSED = new Set([".png", ".webp", ".woff2"]);
/** File names below this path contain a content hash, so the files never change. */
const IMMUTABLE = "/assets/";
const SMALL_BYTES = 1024;

type Encoding = "br" | "gzip" | "identity";

interface ClientFile {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
  media: string;
  precompressed: boolean;
  immutable: boolean;
  /** Compressed on first request, reused afterwards. */
  encoded: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>;
}

export interface Client {
  /** The response for a path, or null when the client has no such file. */
  answer(path: string, headers: { accept: string; etag: string }): Promise<Response | null>;
  /** `'sha256-…'` of every inline script of the page, for the content security policy. */
  readonly scriptHashes: string[];
}

const compress = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

function readFiles(dir: string): Map<string, ClientFile> {
  const files = new Map<string, ClientFile>();
  if (!existsSync(dir)) return files;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(dir, file).split(sep).join("/")}`;
    const body = new Uint8Array(readFileSync(file));
    const kind = extname(file);
    files.set(path, {
      body,
      etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      media: MEDIA[kind] ?? "application/octet-stream",
      precompressed: PRECOMPRESSED.has(kind) || body.byteLength < SMALL_BYTES,
      immutable: path.startsWith(IMMUTABLE),
      encoded: new Map(),
    });
  }
  return files;
}

function hashesOf(page: string): string[] {
  return Array.from(page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g), ([, script]) => {
    return `'sha256-${createHash("sha256")
      .update(script ?? "")
      .digest("base64")}'`;
  });
}

function encodingFor(file: ClientFile, accept: string): Encoding {
  if (file.precompressed) return "identity";
  if (/\bbr\b/.test(accept)) return "br";
  return /\bgzip\b/.test(accept) ? "gzip" : "identity";
}

function bytesOf(file: ClientFile, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const known = file.encoded.get(encoding);
  if (known) return known;
  const made = encode(file, encoding);
  file.encoded.set(encoding, made);
  return made;
}

async function encode(file: ClientFile, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === "br") return new Uint8Array(await compress.br(file.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  if (encoding === "gzip") return new Uint8Array(await compress.gzip(file.body, { level: 9 }));
  return file.body;
}

/** Reads the built client from a folder; a missing folder gives a client without files. */
export function openClient(dir: string): Client {
  const files = readFiles(dir);
  const page = files.get("/index.html");
  return {
    scriptHashes: page ? hashesOf(new TextDecoder().decode(page.body)) : [],
    async answer(path, { accept, etag }) {
      const file = files.get(path === "/" ? "/index.html" : path);
      if (!file) return null;
      const headers = {
        "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
        etag: file.etag,
        vary: "accept-encoding",
      };
      if (etag === file.etag) return new Response(null, { status: 304, headers });
      const encoding = encodingFor(file, accept);
      const coded = encoding === "identity" ? {} : { "content-encoding": encoding };
      return new Response(await bytesOf(file, encoding), { headers: { ...headers, ...coded, "content-type": file.media } });
    },
  };
}
