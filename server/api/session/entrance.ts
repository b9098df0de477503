/** Lets a member in whose secrets or passkey have been verified: restrictions, session, device cookie. */
import { missingFor } from "#contract/eligibility.ts";
import type { Restriction } from "#contract/eligibility.ts";
import type { Account } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Session } from "#contract/session.ts";
import type { DeviceMemory } from "#server/api/handler.ts";
import type { DemoAccess, SessionStore } from "#server/api/session-store.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { Devices } from "./known-device.ts";

/** A verified member, as read before the verification. */
export interface Entrant {
  id: number;
  account: string;
  restrictions: Restriction[];
  demo: boolean;
  password_hash: string;
}

/** Where the member signs in from. */
export interface Arrival {
  address: string;
  agent?: string | null | undefined;
  device?: DeviceMemory | undefined;
  /** Whether the device has signed in to this account before. */
  isKnown: boolean;
}

export interface EntranceDeps {
  sessions: SessionStore;
  devices: Devices;
  security: NoteSecurity;
  demo: DemoAccess;
}

/** @throws Refusal of a restriction, or `ACC_BAD_CREDENTIALS` when the password was changed since the member was read */
export async function enterMember(member: Entrant, arrival: Arrival, deps: EntranceDeps): Promise<Session> {
  const { sessions, devices, security, demo } = deps;
  const { address, agent = null, device, isKnown } = arrival;
  const refuse = (code: Refusal["code"]): Refusal => {
    security("signInRefused", { memberId: member.id, address, reason: code });
    return new Refusal(code);
  };
  const [barred] = missingFor("browse", member);
  if (barred) throw refuse(barred.code);
  if (member.demo && demo === "off") throw refuse("ACC_NOT_FOUND_OR_DISABLED");
  const opened = sessions.open(member.id, address, { agent, isKnown, passwordHash: member.password_hash });
  const session = await opened.catch((error: unknown) => {
    throw error instanceof Refusal ? refuse(error.code) : error;
  });
  if (!isKnown) device?.write(await devices.issue(member));
  security("signIn", { address, memberId: member.id });
  return { token: session.token, account: member.account as Account, expiresAt: epochMs(session.expiresAt) };
}
