/** The lifecycle of a member's identity: unverified, under review, verified or rejected and submitted again; decided by the server. */
import { setup } from "xstate";
import type { IdentityFactType } from "#contract/identity.ts";

type IdentityEvent = { type: IdentityFactType };

export const identityMachine = setup({ types: { events: {} as IdentityEvent } }).createMachine({
  id: "identity",
  initial: "unverified",
  states: {
    // An operator may verify a member who never submitted, and an ID number that another member proved to be theirs is rejected anywhere.
    unverified: {
      on: {
        "identity.submitted": "underReview",
        "identity.approved": "verified",
        "identity.rejected": "rejected",
      },
    },
    underReview: {
      on: {
        "identity.approved": "verified",
        "identity.rejected": "rejected",
      },
    },
    rejected: {
      on: {
        "identity.submitted": "underReview",
      },
    },
    verified: { type: "final" },
  },
});
