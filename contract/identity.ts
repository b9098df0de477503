/** Identity verification: the statuses of a member's real name, and the facts that change them. */
import * as z from "zod/mini";

/** Real-name verification status, in the specification's words. */
export const IDENTITY_STATUSES = ["unverified", "underReview", "verified", "rejected"] as const;
export const IdentityStatus = z.enum(IDENTITY_STATUSES);
export type IdentityStatus = z.infer<typeof IdentityStatus>;

/** What happens to an identity: the member submits it, a reviewer approves or rejects it. */
export const IDENTITY_FACTS = ["identity.submitted", "identity.approved", "identity.rejected"] as const;
export type IdentityFactType = (typeof IDENTITY_FACTS)[number];
