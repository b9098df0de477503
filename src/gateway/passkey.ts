/** Passkeys of this browser: making one, and signing in with one. Their library loads when it is used. */
import type { CreatedPasskey, CreationOptions, RequestOptions, UsedPasskey } from "#contract/passkey.ts";

/** Pages with an address instead of a name have no passkeys. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(window.location.hostname);
}

/** `exists`: this authenticator has one for the account already. `cancelled`: the member closed the dialog, or waited too long. */
export type PasskeyProblem = "cancelled" | "exists" | "failed";

export type PasskeyResult<Made> = { passkey: Made; problem: null } | { passkey: null; problem: PasskeyProblem };

function problemOf(error: unknown): PasskeyProblem {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "exists";
  return name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "failed";
}

async function attempt<Made>(work: () => Promise<Made>): Promise<PasskeyResult<Made>> {
  try {
    return { passkey: await work(), problem: null };
  } catch (error) {
    return { passkey: null, problem: problemOf(error) };
  }
}

/** Lets the member make a passkey. */
export function makePasskey(optionsJSON: CreationOptions): Promise<PasskeyResult<CreatedPasskey>> {
  return attempt(async () => {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports } = response;
    return { id, rawId, type, response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) } };
  });
}

/** Lets the member choose one of the passkeys of this page. */
export function readPasskey(optionsJSON: RequestOptions): Promise<PasskeyResult<UsedPasskey>> {
  return attempt(async () => {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) } };
  });
}
