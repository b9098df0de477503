/** The devices a member is signed in on: one session each. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { EpochMs } from "./kernel/time.ts";

export const SignedInDevice = z.object({
  /** Names the session; it grants nothing. */
  id: z.string(),
  /** Browser and system, such as `Chrome, Android`; empty when unknown. */
  device: z.string(),
  /** Masked: enough to recognise one's own. */
  address: z.string(),
  firstUsedAt: EpochMs,
  lastUsedAt: EpochMs,
  isThis: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SignedInDevice>;

export const deviceEndpoints = {
  listDevices: endpoint({
    path: "/account/device/list",
    access: "member",
    does: "List the member's sessions, this one first. Visitors of a shared demo account see only their own.",
    body: z.object({}),
    data: z.array(SignedInDevice),
    refusals: [],
  }),
  signOutDevice: endpoint({
    path: "/account/device/sign-out",
    access: "member",
    does: "End one of the member's sessions.",
    body: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{16}$/)) }),
    data: z.null(),
    refusals: ["ACC_SHARED", "GEN_NOT_FOUND"],
  }),
  signOutOthers: endpoint({
    path: "/account/device/sign-out-others",
    access: "member",
    does: "End all of the member's sessions except this one.",
    body: z.object({}),
    data: z.object({ sessionsEnded: z.int() }),
    refusals: ["ACC_SHARED"],
  }),
};
