/** Handlers of identity: photos of the card, the submission, and the state of its review. */
import type { Identity, IdentityReason } from "#contract/identity.ts";
import { PHOTO_BYTES } from "#contract/identity.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { identityMachine } from "#machines/identity.ts";
import { cleanPhoto } from "#server/accounts/photo-check.ts";
import type { PhotoStore } from "#server/accounts/photo-store.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

export interface IdentityDeps {
  db: Database;
  photos: PhotoStore;
  /** Epoch milliseconds. */
  now: () => number;
}

interface Row {
  status: Identity["status"];
  member_name: string;
  member_id_number: string;
  name: string | null;
  id_number: string | null;
  front: string | null;
  back: string | null;
  submitted_at: number | null;
  reason: IdentityReason | null;
}

const READ = `
SELECT identity AS status, member.name AS member_name, member.id_number AS member_id_number, latest.name, latest.id_number, latest.submitted_at,
  latest.reason,
  (SELECT photo.id FROM photo WHERE photo.id = latest.front AND photo.member_id = member.id) AS front,
  (SELECT photo.id FROM photo WHERE photo.id = latest.back AND photo.member_id = member.id) AS back
FROM member LEFT JOIN LATERAL (SELECT * FROM identity_submission WHERE member_id = member.id ORDER BY id DESC LIMIT 1) AS latest ON true
WHERE member.id = $1`;

async function read(on: Reader, memberId: number): Promise<Identity> {
  const [row] = await query<Row>(on, READ, [memberId]);
  if (!row) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
  return {
    status: row.status,
    name: row.name ?? row.member_name,
    idNumber: row.id_number ?? row.member_id_number,
    submittedAt: row.submitted_at === null ? null : epochMs(row.submitted_at),
    reason: row.status === "rejected" ? (row.reason ?? "taken") : null,
    front: row.front,
    back: row.back,
  };
}

export function identityHandlers({
  db,
  photos,
  now,
}: IdentityDeps): Pick<Handlers, "readIdentity" | "uploadPhoto" | "readPhoto" | "submitIdentity"> {
  /** @throws Refusal `VAL_ID_PHOTOS` unless both are the member's own, and two */
  const checkPhotos = async (on: Reader, memberId: number, front: string, back: string): Promise<void> => {
    const rows = await query<{ id: string }>(on, "SELECT id FROM photo WHERE member_id = $1 AND id IN ($2, $3)", [memberId, front, back]);
    const ids = new Set(rows.map(({ id }) => id));
    if (!ids.has(front)) throw new Refusal("VAL_ID_PHOTOS", {}, "front");
    if (!ids.has(back) || front === back) throw new Refusal("VAL_ID_PHOTOS", {}, "back");
  };
  return {
    readIdentity: ({ caller }) => read(db.kysely, caller.memberId),
    async uploadPhoto({ caller: { memberId } }, { content }) {
      const bytes = Buffer.from(content, "base64");
      if (bytes.byteLength === 0 || bytes.byteLength > PHOTO_BYTES) throw new Refusal("GEN_UPLOAD_RESELECT", {}, "content");
      await photos.checkQuota(memberId);
      const photo = await cleanPhoto(bytes);
      return { id: await photos.put(memberId, photo), width: photo.width, height: photo.height };
    },
    async readPhoto({ caller: { memberId } }, { id }) {
      const photo = await photos.read(db.kysely, memberId, id);
      if (!photo) throw new Refusal("GEN_NOT_FOUND", {}, "id");
      return { content: photo.content.toString("base64") };
    },
    submitIdentity: ({ caller: { memberId } }, { name, idNumber, front, back }) =>
      db.transaction(async (tx) => {
        await lockMember(tx, memberId);
        const member = await tx
          .selectFrom("member")
          .select(["identity", "restrictions"])
          .where("id", "=", memberId)
          .executeTakeFirstOrThrow();
        if (member.restrictions.includes("frozen")) throw new Refusal("ACC_FROZEN");
        if (member.identity === "verified") throw new Refusal("ACC_REALNAME_VERIFIED");
        const next = advance(identityMachine, member.identity, "identity.submitted");
        if (next === null) throw new Refusal("ACC_REALNAME_PENDING");
        await checkPhotos(tx, memberId, front, back);
        // Whether another member has this number is told with the decision, to somebody whose photos have passed.
        await tx.updateTable("member").set({ identity: next }).where("id", "=", memberId).execute();
        await query(
          tx,
          "INSERT INTO identity_submission (member_id, name, id_number, front, back, submitted_at) VALUES ($1, $2, $3, $4, $5, $6)",
          [memberId, name, idNumber, front, back, now()],
        );
        return read(tx, memberId);
      }),
  };
}
