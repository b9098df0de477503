/** An authenticator in software: makes and uses one passkey, honestly or as a test tells it to. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { CreatedPasskey, UsedPasskey } from "#contract/passkey.ts";

const FLAGS = { present: 1, verified: 4, attested: 64 };

/** What a test may bend. */
export interface Bent {
  challenge?: string;
  origin?: string;
  type?: string;
  crossOrigin?: boolean;
  host?: string;
  /** Whether the person was verified. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
  format?: string;
  statement?: Map<string, unknown>;
}

export interface Authenticator {
  id: string;
  make(challenge: string, origin: string, bent?: Bent): CreatedPasskey;
  use(challenge: string, origin: string, bent?: Bent): UsedPasskey;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const digest = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

export function openAuthenticator(id: string = text(randomBytes(32))): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const key = isoCBOR.encode(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]) as never,
  );
  let uses = 0;

  const clientData = (type: string, challenge: string, origin: string, bent: Bent): string =>
    text(
      Buffer.from(
        JSON.stringify({
          type: bent.type ?? type,
          challenge: bent.challenge ?? challenge,
          origin: bent.origin ?? origin,
          crossOrigin: bent.crossOrigin ?? false,
        }),
      ),
    );
  const data = (origin: string, bent: Bent, more: number, rest: Uint8Array): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt8(FLAGS.present + (bent.verified === false ? 0 : FLAGS.verified) + more);
    head.writeUInt32BE(bent.counter ?? uses, 1);
    return Buffer.concat([digest(bent.host ?? new URL(origin).hostname), head, rest]);
  };
  const credential = { id, rawId: id, type: "public-key" as const };

  return {
    id,
    make(challenge, origin, bent = {}) {
      const raw = Buffer.from(id, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(raw.length);
      const authData = data(origin, bent, FLAGS.attested, Buffer.concat([Buffer.alloc(16), length, raw, key]));
      const attestation = new Map<string, unknown>([
        ["fmt", bent.format ?? "none"],
        ["attStmt", bent.statement ?? new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      const attestationObject = text(isoCBOR.encode(attestation as never));
      return { ...credential, response: { clientDataJSON: clientData("webauthn.create", challenge, origin, bent), attestationObject } };
    },
    use(challenge, origin, bent = {}) {
      uses += 1;
      const authenticatorData = data(origin, bent, 0, Buffer.alloc(0));
      const clientDataJSON = clientData("webauthn.get", challenge, origin, bent);
      const signed = Buffer.concat([authenticatorData, digest(Buffer.from(clientDataJSON, "base64url"))]);
      const signature = text(sign("sha256", signed, privateKey));
      const handle = bent.userHandle === undefined ? {} : { userHandle: bent.userHandle };
      return { ...credential, response: { clientDataJSON, authenticatorData: text(authenticatorData), signature, ...handle } };
    },
  };
}
