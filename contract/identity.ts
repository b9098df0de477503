/** Identity verification: the statuses of a member's real name, the facts that change them, photos and the submission. */
import * as z from "zod/mini";
import { IdNumber } from "./id-number.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { EpochMs } from "./kernel/time.ts";

/** Real-name verification status, in the specification's words. */
export const IDENTITY_STATUSES = ["unverified", "underReview", "verified", "rejected"] as const;
export const IdentityStatus = z.enum(IDENTITY_STATUSES);
export type IdentityStatus = z.infer<typeof IdentityStatus>;

/** What happens to an identity: the member submits it, a reviewer approves or rejects it. */
export const IDENTITY_FACTS = ["identity.submitted", "identity.approved", "identity.rejected"] as const;
export type IdentityFactType = (typeof IDENTITY_FACTS)[number];

/** Why a submission was rejected: a check of the photos that failed, another member's proof, or the operator's decision. */
export const IDENTITY_REASONS = ["missing", "tooSmall", "dark", "blank", "blurred", "same", "taken", "operator"] as const;
export const IdentityReason = z.enum(IDENTITY_REASONS);
export type IdentityReason = z.infer<typeof IdentityReason>;

/** Least size of a photo in pixels. */
export const PHOTO_SIZE = { width: 600, height: 380 };
/** Largest upload in bytes; in base64 it is a third longer. */
export const PHOTO_BYTES = 10 * 1024 * 1024;
const BASE64_LENGTH = Math.ceil(PHOTO_BYTES / 3) * 4;

/** The decision of a review. */
export const IdentityDecision = z.object({ status: z.enum(["verified", "rejected"]), reason: z.nullable(IdentityReason) });
export type IdentityDecision = z.infer<typeof IdentityDecision>;

export const PhotoId = z.string("VAL_ID_PHOTOS").check(z.regex(/^[\w-]{22}$/, "VAL_ID_PHOTOS"));

/** The member's identity as they entered it. */
export const Identity = z.object({
  status: IdentityStatus,
  /** As submitted; empty before. */
  name: z.string(),
  /** As submitted, before that as given at registration. */
  idNumber: z.string(),
  submittedAt: z.nullable(EpochMs),
  /** Of a rejected identity. */
  reason: z.nullable(IdentityReason),
  front: z.nullable(PhotoId),
  back: z.nullable(PhotoId),
});
export type Identity = z.infer<typeof Identity>;

export const identityEndpoints = {
  readIdentity: endpoint({
    path: "/identity/read",
    access: "member",
    does: "Read the member's own identity and the state of its review.",
    body: z.object({}),
    data: Identity,
    refusals: [],
  }),
  uploadPhoto: endpoint({
    path: "/identity/photo",
    access: "member",
    does: "Upload a photo in base64; it is stored re-encoded and encrypted.",
    body: z.object({
      content: z
        .string("GEN_UPLOAD_RESELECT")
        .check(z.minLength(1, "GEN_UPLOAD_RESELECT"), z.maxLength(BASE64_LENGTH, "GEN_UPLOAD_RESELECT")),
    }),
    data: z.object({ id: PhotoId, width: z.int(), height: z.int() }),
    refusals: ["GEN_UPLOAD_RESELECT", "GEN_TOO_FREQUENT"],
    limitBytes: BASE64_LENGTH + 1024,
  }),
  readPhoto: endpoint({
    path: "/identity/photo/read",
    access: "member",
    does: "Read one of the member's own photos, as a JPEG in base64.",
    body: z.object({ id: PhotoId }),
    data: z.object({ content: z.string() }),
    refusals: ["VAL_ID_PHOTOS", "GEN_NOT_FOUND"],
  }),
  submitIdentity: endpoint({
    path: "/identity/submit",
    access: "member",
    does: "Submit name, ID number and both photos for review.",
    body: z.object({
      name: z.string("VAL_REALNAME_EMPTY").check(z.trim(), z.minLength(1, "VAL_REALNAME_EMPTY"), z.maxLength(40)),
      idNumber: IdNumber,
      front: PhotoId,
      back: PhotoId,
    }),
    data: Identity,
    refusals: ["VAL_REALNAME_EMPTY", "VAL_ID_INVALID", "VAL_ID_PHOTOS", "ACC_FROZEN", "ACC_REALNAME_PENDING", "ACC_REALNAME_VERIFIED"],
  }),
};
