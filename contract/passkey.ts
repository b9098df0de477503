/** Passkeys: adding, naming and removing them, and signing in with one instead of password and guarantee code. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { EpochMs } from "./kernel/time.ts";
import { TypedPassword } from "./secret.ts";
import { Session } from "./session.ts";

/** Passkeys of one member. */
export const PASSKEYS_KEPT = 10;

export const Passkey = z.object({
  id: z.int(),
  name: z.string(),
  addedAt: EpochMs,
  /** Null until it was used to sign in. */
  lastUsedAt: z.nullable(EpochMs),
  /** Whether it is also on the member's other devices. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;

const PasskeyName = z.string("VAL_PASSKEY_NAME").check(z.trim(), z.minLength(1, "VAL_PASSKEY_NAME"), z.maxLength(40, "VAL_PASSKEY_NAME"));

/** Bytes in base64url, at most so many characters. */
const bytes = (most: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(most));

/** What every answer of an authenticator has. */
const credential = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal("public-key") };

const CreatedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(16_000),
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
export type CreatedPasskey = z.infer<typeof CreatedPasskey>;

const UsedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: z.optional(bytes(100)),
  }),
});
export type UsedPasskey = z.infer<typeof UsedPasskey>;

/** An algorithm by its COSE number. */
const Algorithm = z.object({ type: z.literal("public-key"), alg: z.int() });

/** What the browser needs to make a passkey: the part of `PublicKeyCredentialCreationOptions` that we use, in JSON. */
const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(Algorithm),
  timeout: z.int(),
  attestation: z.literal("none"),
  /** Passkeys the member has already; their authenticators do not make a second one. */
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
  authenticatorSelection: z.object({ residentKey: z.literal("required"), userVerification: z.literal("required") }),
});
export type CreationOptions = z.infer<typeof CreationOptions>;

/** What the browser needs to use one. It names no passkey: the authenticator finds those of this host by itself. */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal("required"),
});
export type RequestOptions = z.infer<typeof RequestOptions>;

export const passkeyEndpoints = {
  listPasskeys: endpoint({
    path: "/account/passkey/list",
    access: "member",
    does: "List the member's passkeys, the newest first.",
    body: z.object({}),
    data: z.array(Passkey),
    refusals: [],
  }),
  startPasskey: endpoint({
    path: "/account/passkey/start",
    access: "member",
    does: "Begin to add a passkey with the sign-in password: a challenge for this session, valid for five minutes and once.",
    body: z.object({ current: TypedPassword }),
    data: CreationOptions,
    refusals: ["VAL_PASSWORD_EMPTY", "ACC_SHARED", "GEN_LIST_FULL", "GEN_TOO_FREQUENT", "PWD_ORIGINAL_WRONG", "PASSKEY_UNAVAILABLE"],
  }),
  addPasskey: endpoint({
    path: "/account/passkey/add",
    access: "member",
    does: "Add the passkey that was made for a challenge.",
    body: z.object({ name: PasskeyName, passkey: CreatedPasskey }),
    data: Passkey,
    refusals: ["VAL_PASSKEY_NAME", "ACC_SHARED", "GEN_TOO_FREQUENT", "PASSKEY_INVALID", "GEN_LIST_FULL", "PASSKEY_EXISTS"],
  }),
  renamePasskey: endpoint({
    path: "/account/passkey/rename",
    access: "member",
    does: "Give a passkey another name.",
    body: z.object({ id: z.int(), name: PasskeyName }),
    data: Passkey,
    refusals: ["VAL_PASSKEY_NAME", "ACC_SHARED", "GEN_NOT_FOUND"],
  }),
  removePasskey: endpoint({
    path: "/account/passkey/remove",
    access: "member",
    does: "Remove a passkey; sessions that were opened with it go on.",
    body: z.object({ id: z.int() }),
    data: z.null(),
    refusals: ["ACC_SHARED", "GEN_NOT_FOUND"],
  }),
  startPasskeySignIn: endpoint({
    path: "/session/passkey/start",
    access: "open",
    does: "Begin to sign in with a passkey: a challenge, valid for five minutes and once. The same for everybody.",
    body: z.object({}),
    data: RequestOptions,
    refusals: ["GEN_TOO_FREQUENT", "PASSKEY_UNAVAILABLE"],
  }),
  signInWithPasskey: endpoint({
    path: "/session/passkey/sign-in",
    access: "open",
    does: "Sign in with a passkey; a refusal never tells whether there is such a passkey or member.",
    body: z.object({ passkey: UsedPasskey }),
    data: Session,
    refusals: ["GEN_TOO_FREQUENT", "PASSKEY_REFUSED", "ACC_LOGIN_BANNED", "ACC_BANNED", "ACC_DISABLED", "ACC_NOT_FOUND_OR_DISABLED"],
  }),
};
