/** Proofs of deposits: the member's own photo, told apart by the hash of what was stored. */
import { createHash } from "node:crypto";
import type { Reader } from "#server/db/database.ts";
import type { PhotoStore } from "./photo-store.ts";

/** The hash of a member's own photo; null where they have none of that id. */
export async function proofHash(photos: PhotoStore, on: Reader, memberId: number, proofId: string | null): Promise<string | null> {
  const photo = proofId === null ? null : await photos.read(on, memberId, proofId);
  return photo && createHash("sha256").update(photo.content).digest("hex");
}
