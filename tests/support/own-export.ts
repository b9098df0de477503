/** Reads the archive with a member's own data in tests. */
import { inflateRawSync } from "node:zlib";
import type { TestBroker } from "./trading.ts";

/** The files of an archive, by the directory at its end. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString("utf8"));
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

/** The files of a member's own export, by their names. */
export async function exportOf(broker: TestBroker, memberId: number): Promise<Map<string, string>> {
  const { base64 } = await broker.call("exportData", memberId, { current: "secret" });
  return unzip(Buffer.from(base64, "base64"));
}

/** The rows of a table in a member's own export. */
export async function exportedRows(broker: TestBroker, memberId: number, table: string): Promise<Record<string, unknown>[]> {
  return JSON.parse((await exportOf(broker, memberId)).get(`${table}.json`) ?? "null") as Record<string, unknown>[];
}
