/** Decides submitted identities: the sandbox reviewer looks at the photos after a while; approval makes the ID number the member's own. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { epochMs, DAY_MS } from "#contract/kernel/time.ts";
import type { IdentityDecision, IdentityFactType, IdentityReason } from "#contract/identity.ts";
import { advance } from "#machines/advance.ts";
import { identityMachine } from "#machines/identity.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { toMessage } from "#server/records/message.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { takeAway } from "./claim.ts";
import { judgePhotos } from "./photo-check.ts";
import type { PhotoStore } from "./photo-store.ts";
import type { Verdict } from "./verdict.ts";

export interface IdentityReviewDeps {
  db: Database;
  sequencer: Sequencer;
  photos: PhotoStore;
  /** Current time in epoch milliseconds. */
  now: () => number;
  report?: ((error: unknown) => void) | undefined;
}

interface Submission {
  id: number;
  member_id: number;
  name: string;
  id_number: string;
  front: string;
  back: string;
  submitted_at: number;
  /** The operator's decision; null leaves it to the checks. */
  verdict: Verdict | null;
}

/** What is read under the members' locks. */
interface Opened {
  open: boolean;
  /** Another member has proved the ID number. */
  taken: boolean;
  /** Unverified members who claim it. */
  others: number[];
}

const DUE = `SELECT one.*, verdict FROM identity_submission AS one
  LEFT JOIN review_verdict ON kind = 'identity' AND subject = one.id::text WHERE decided_at IS NULL ORDER BY one.id`;
const LOOK_EVERY_MS = SECOND_MS;
const SWEEP_EVERY_MS = 3_600 * SECOND_MS;

const claimants = async (on: Database["kysely"], { id_number, member_id }: Submission): Promise<number[]> =>
  (
    await query<{ id: number }>(on, "SELECT id FROM member WHERE id_number = $1 AND id <> $2 AND identity <> 'verified' ORDER BY id", [
      id_number,
      member_id,
    ])
  ).map(({ id }) => id);

async function readUnderLock(tx: Tx, submission: Submission, others: readonly number[]): Promise<Opened> {
  const { id, member_id, id_number } = submission;
  const [row] = await query<Omit<Opened, "others">>(
    tx,
    `SELECT decided_at IS NULL AS open, EXISTS (SELECT FROM member WHERE id_number = $2 AND identity = 'verified' AND id <> $3) AS taken
    FROM identity_submission WHERE id = $1`,
    [id, id_number, member_id],
  );
  return { open: row?.open ?? false, taken: row?.taken ?? false, others: [...others] };
}

/** Changes a member's identity, puts the decision into the inbox and tells the member. */
function settle(
  batch: Batch,
  memberId: number,
  messageNo: number,
  decision: IdentityDecision,
  name: { name: string; idNumber: string } | null,
): void {
  const fact: IdentityFactType & `identity.${"approved" | "rejected"}` =
    decision.status === "verified" ? "identity.approved" : "identity.rejected";
  const member = batch.member(memberId);
  const next = advance(identityMachine, member.identity, fact);
  if (next === null) return;
  member.identity = next;
  const row = { id: messageNo, at: batch.at, kind: "identity" as const, read: false };
  batch.emit(memberId, { type: fact, message: toMessage({ ...row, identity: decision }, null) });
  batch.deferWrite(async (tx) => {
    const known = name === null ? {} : { name: name.name, id_number: name.idNumber };
    await tx
      .updateTable("member")
      .set({ identity: next, ...known })
      .where("id", "=", memberId)
      .execute();
    const { status, reason } = decision;
    await query(
      tx,
      "UPDATE identity_submission SET decided_at = $2, decision = $3, reason = $4 WHERE member_id = $1 AND decided_at IS NULL",
      [memberId, batch.at, status === "verified" ? "approved" : "rejected", reason],
    );
    await tx
      .insertInto("message")
      .values({ ...row, member_id: memberId, alert_id: null, identity: JSON.stringify(decision) })
      .execute();
  });
}

/**
 * Decides one submission, under the locks of everybody who claims its ID number. `reason` null approves. Where another member has proved the
 * number meanwhile, it is rejected as taken; approval rejects the others and takes the number from them.
 */
export async function decideIdentity(
  { db, sequencer }: IdentityReviewDeps,
  submission: Submission,
  reason: IdentityReason | null,
): Promise<void> {
  const others = reason === null ? await claimants(db.kysely, submission) : [];
  let read: Opened = { open: false, taken: false, others: [] };
  let numbers: number[] = [];
  await sequencer.submit({
    memberIds: [submission.member_id, ...others],
    prepare: async (tx) => {
      read = await readUnderLock(tx, submission, others);
      const rows = await query<{ n: number }>(tx, "SELECT nextval('message_no') AS n FROM generate_series(1, $1::integer)", [
        others.length + 1,
      ]);
      numbers = rows.map(({ n }) => n);
    },
    decide: (batch) => {
      if (!read.open) return;
      const why = reason ?? (read.taken ? "taken" : null);
      const [own = 0, ...more] = numbers;
      const known = { name: submission.name, idNumber: submission.id_number };
      if (why !== null) return settle(batch, submission.member_id, own, { status: "rejected", reason: why }, null);
      for (const [at, memberId] of read.others.entries()) {
        settle(batch, memberId, more[at] ?? 0, { status: "rejected", reason: "taken" }, null);
      }
      settle(batch, submission.member_id, own, { status: "verified", reason: null }, known);
      batch.deferWrite((tx) => takeAway(tx, known.idNumber, submission.member_id));
    },
  });
}

/** Reviews every submission whose time has come. */
export async function reviewIdentities(deps: IdentityReviewDeps): Promise<void> {
  const { db, sequencer, photos, now, report } = deps;
  for (const submission of await query<Submission>(db.kysely, DUE)) {
    const { member_id: memberId, front, back, submitted_at: at, verdict } = submission;
    if (verdict === null && now() < at + sequencer.rules.of(memberId).account.identityReviewSeconds * SECOND_MS) continue;
    try {
      const judge = async (): Promise<IdentityReason | null> =>
        judgePhotos(await photos.read(db.kysely, memberId, front), await photos.read(db.kysely, memberId, back));
      const reason = verdict === null ? await judge() : verdict === "approved" ? null : "operator";
      await decideIdentity(deps, submission, reason);
    } catch (error) {
      report?.(error);
    }
  }
}

/** Deletes photos: those of a decided submission or an ended deposit after the rule's days, those never submitted after one day. */
export async function sweepPhotos({ db, sequencer, now }: Pick<IdentityReviewDeps, "db" | "sequencer" | "now">): Promise<void> {
  const { photoDays } = sequencer.rules.of(0).account;
  await query(
    db.kysely,
    `DELETE FROM photo WHERE at < $1 AND NOT EXISTS (
      SELECT FROM identity_submission AS one WHERE one.member_id = photo.member_id AND photo.id IN (one.front, one.back)
        AND (one.decided_at IS NULL OR one.decided_at > $2))
      AND NOT EXISTS (SELECT FROM deposit WHERE proof_id = photo.id AND (ended_at IS NULL OR ended_at > $2))`,
    [epochMs(now() - DAY_MS), now() - photoDays * DAY_MS],
  );
}

/** Reviews every second and sweeps every hour. @returns a function that stops both, and resolves when they are at rest */
export function startIdentityReview(deps: IdentityReviewDeps): () => Promise<void> {
  const stops = [
    every(LOOK_EVERY_MS, () => reviewIdentities(deps), deps.report),
    every(SWEEP_EVERY_MS, () => sweepPhotos(deps), deps.report),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
