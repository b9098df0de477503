/** Stores photos encrypted (AES-256-GCM) in the database; only their member reads them. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Photo } from "./photo-check.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Photos of a member in a day: enough for many attempts, not for using us as a disk. */
const PER_DAY = 40;

export interface PhotoStore {
  /** Asked before a photo is decoded, which costs most. @throws Refusal `GEN_TOO_FREQUENT` */
  checkQuota(memberId: number): Promise<void>;
  /** @returns its id. @throws Refusal `GEN_TOO_FREQUENT` */
  put(memberId: number, photo: Photo): Promise<string>;
  /** The member's own photo, or null. */
  read(on: Reader, memberId: number, id: string): Promise<Photo | null>;
}

/**
 * The key of the photos: from the environment, or from a file in the data folder, which is made at the first start. Without a folder the
 * key lives as long as the process.
 */
export function photoKey(given: Buffer | null, dataDir: string | null): Buffer {
  if (given !== null) return given;
  const drawn = randomBytes(KEY_BYTES);
  if (dataDir === null) return drawn;
  const file = join(dataDir, "photo.key");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, drawn.toString("base64"), { flag: "wx", mode: 0o600 });
    return drawn;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return Buffer.from(readFileSync(file, "utf8"), "base64");
  }
}

/** The photo's id and member are authenticated, so that a row cannot be moved to somebody else. */
const boundTo = (memberId: number, id: string): Buffer => Buffer.from(`${memberId} ${id}`);

function seal(key: Buffer, bound: Buffer, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(bound);
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function unseal(key: Buffer, bound: Buffer, stored: Buffer): Buffer {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, stored.subarray(0, NONCE_BYTES)).setAAD(bound);
  decipher.setAuthTag(stored.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(stored.subarray(tagEnd)), decipher.final()]);
}

/** Opens the store. `now` is its clock. */
export function openPhotos(db: Database, key: Buffer, now: () => number): PhotoStore {
  const checkQuota = async (memberId: number): Promise<void> => {
    const [count] = await query<{ n: number }>(db.kysely, "SELECT count(*)::integer AS n FROM photo WHERE member_id = $1 AND at > $2", [
      memberId,
      now() - DAY_MS,
    ]);
    if ((count?.n ?? 0) >= PER_DAY) throw new Refusal("GEN_TOO_FREQUENT");
  };
  return {
    checkQuota,
    async put(memberId, { content, width, height }) {
      await checkQuota(memberId);
      const id = randomBytes(16).toString("base64url");
      const sealed = seal(key, boundTo(memberId, id), content);
      await query(db.kysely, "INSERT INTO photo (id, member_id, at, width, height, content) VALUES ($1, $2, $3, $4, $5, $6)", [
        id,
        memberId,
        now(),
        width,
        height,
        sealed,
      ]);
      return id;
    },
    async read(on, memberId, id) {
      const [row] = await query<{ width: number; height: number; content: Uint8Array }>(
        on,
        "SELECT width, height, content FROM photo WHERE id = $1 AND member_id = $2",
        [id, memberId],
      );
      if (!row) return null;
      return { width: row.width, height: row.height, content: unseal(key, boundTo(memberId, id), Buffer.from(row.content)) };
    },
  };
}
