/** Packs files into a ZIP archive; compression runs in the thread pool, not on the event loop. */
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

export interface ZipEntry {
  name: string;
  content: Buffer;
}

const deflate = promisify<Buffer, Buffer>(deflateRaw);

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
/** ZIP 2.0: deflate. */
const VERSION = 20;
/** Names are UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the earliest date there is: archives of the same data are the same. */
const DATE = 0x0021;

interface Packed {
  name: Buffer;
  data: Buffer;
  crc: number;
  size: number;
}

/** The fields that both headers of a file share, from the version needed to the length of its name. */
function common({ name, data, crc, size }: Packed): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(UTF8, 2);
  head.writeUInt16LE(DEFLATED, 4);
  head.writeUInt16LE(DATE, 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(data.length, 14);
  head.writeUInt32LE(size, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at);
  return bytes;
}

/** One archive of at most 65,535 files and 4 GB. */
export async function zip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: text, content } of entries) {
    const packed = { name: Buffer.from(text), data: await deflate(content), crc: crc32(content), size: content.length };
    const local = [uint32(LOCAL_SIGNATURE), common(packed), packed.name, packed.data];
    // Made by, then the shared fields, an empty comment, the first disk, no attributes, and where the file begins.
    directory.push(uint32(CENTRAL_SIGNATURE), uint16(VERSION), common(packed), uint16(0, 0, 0), uint32(0, offset), packed.name);
    offset += local.reduce((sum, part) => sum + part.length, 0);
    parts.push(...local);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  return Buffer.concat([...parts, ...directory, uint32(END_SIGNATURE), uint16(0, 0, count, count), uint32(size, offset), uint16(0)]);
}
