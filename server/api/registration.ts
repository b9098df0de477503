/** Handlers of registration and of forgotten passwords, which are called without a session. */
import { RateLimiterRes } from "rate-limiter-flexible";
import { ageOn, isPlausibleAge } from "#contract/birth-date.ts";
import { missingFor } from "#contract/eligibility.ts";
import type { Body } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs, SECOND_MS, taipeiDay } from "#contract/kernel/time.ts";
import type { Account } from "#contract/kernel/id.ts";
import { checkClaim } from "#server/accounts/claim.ts";
import { hashSecrets, insertMember } from "#server/accounts/new-member.ts";
import type { OneTimeCodes } from "#server/accounts/one-time-code.ts";
import { noteChange } from "#server/accounts/security-notice.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressRate } from "#server/kernel/address-limit.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Handlers } from "./handler.ts";
import { openDevices } from "./session/known-device.ts";
import type { SessionStore } from "./session-store.ts";

export interface RegistrationDeps {
  db: Database;
  sessions: SessionStore;
  sequencer: { rules: Pick<RuleSet, "of"> };
  codes: OneTimeCodes;
  security?: NoteSecurity;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Registrations and code requests of one address in ten minutes; an office may share one. */
const PER_ADDRESS = { points: 30, seconds: 600 };
/** Requests for codes and codes typed by one address in a day, for any members. */
const CODES_PER_ADDRESS = { points: 200, seconds: DAY_MS / SECOND_MS };
/** No member has this id: the rules that apply to everybody. */
const NOBODY = 0;
const UNIQUE_VIOLATION = "23505";

type Inviter = { id: number };

/** @throws Refusal `ACC_INVITER_NOT_FOUND` unless a verified member in good standing has this code */
async function readInviter({ kysely }: Database, code: string): Promise<Inviter> {
  const inviter = await kysely
    .selectFrom("member")
    .select(["id", "identity", "restrictions"])
    .where("invitation_code", "=", code)
    .executeTakeFirst();
  if (!inviter || inviter.identity !== "verified" || missingFor("browse", inviter).length > 0) {
    throw new Refusal("ACC_INVITER_NOT_FOUND", {}, "invitationCode");
  }
  return inviter;
}

/** @throws Refusal `ACC_NUMBER_REGISTERED`, `ACC_EXISTS` */
async function checkFree({ kysely }: Database, { mobile, idNumber }: Body<"register">): Promise<void> {
  const found = await kysely
    .selectFrom("member")
    .select(["mobile", "identity"])
    .where((row) => row.or([row("mobile", "=", mobile), row.and([row("id_number", "=", idNumber), row("identity", "=", "verified")])]))
    .execute();
  if (found.some((member) => member.mobile === mobile)) throw new Refusal("ACC_NUMBER_REGISTERED", {}, "mobile");
  if (found.length > 0) throw new Refusal("ACC_EXISTS", {}, "idNumber");
}

/** A failed insert whose number was registered a moment ago. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION && String(error).includes("mobile");

async function nextAccount(db: Database): Promise<string> {
  for (;;) {
    const [row] = await query<{ account: string; taken: boolean }>(
      db.kysely,
      "WITH next AS (SELECT 'KS' || nextval('account_no') AS account) SELECT account, EXISTS (SELECT FROM member WHERE member.account = next.account) AS taken FROM next",
    );
    if (row && !row.taken) return row.account;
  }
}

/** Counts a call against its address. @throws Refusal `GEN_TOO_FREQUENT` */
async function countAddress(rates: readonly AddressRate[], address: string): Promise<void> {
  for (const rate of rates) {
    await rate.consume(addressKey(address)).catch((error: unknown) => {
      throw error instanceof RateLimiterRes ? new Refusal("GEN_TOO_FREQUENT") : error;
    });
  }
}

export function registrationHandlers(deps: RegistrationDeps): Pick<Handlers, "register" | "requestPasswordCode" | "resetPassword"> {
  const { db, sessions, sequencer, codes, security = () => undefined, now } = deps;
  const calls = new AddressRate(PER_ADDRESS);
  const codesADay = new AddressRate(CODES_PER_ADDRESS);
  const devices = openDevices(db);

  /** @throws Refusal at the field that does not fit the member's age */
  const checkAge = ({ birthDate, representative }: Body<"register">): void => {
    const day = taipeiDay(now());
    if (!isPlausibleAge(birthDate, day)) throw new Refusal("VAL_BIRTH_DATE", {}, "birthDate");
    const { adultYears } = sequencer.rules.of(NOBODY).account;
    if (ageOn(birthDate, day) < adultYears && representative === null) throw new Refusal("VAL_REPRESENTATIVE", {}, "representative");
  };

  const findOwner = ({ idNumber, mobile }: { idNumber: string; mobile: string }) =>
    db.kysely
      .selectFrom("member")
      .select(["id", "mobile"])
      .where("id_number", "=", idNumber)
      .where("mobile", "=", mobile)
      .executeTakeFirst();

  return {
    async register({ address, agent, device }, body) {
      checkAge(body);
      await countAddress([calls], address);
      const inviter = await readInviter(db, body.invitationCode);
      await checkFree(db, body);
      const at = now();
      const { idNumber, password, guaranteeCode, mobile, birthDate, representative } = body;
      const account = await nextAccount(db);
      const member = { account, idNumber, name: "", password, guaranteeCode, mobile, birthDate, representative };
      const secrets = await hashSecrets(body);
      const created = db.transaction(async (tx) => {
        await checkClaim(tx, idNumber);
        return insertMember(tx, { ...member, invitedBy: inviter.id, identity: "unverified", depositCents: cents(0), at }, secrets);
      });
      const id = await created.catch((error: unknown) => {
        throw isTaken(error) ? new Refusal("ACC_NUMBER_REGISTERED", {}, "mobile") : error;
      });
      security("registered", { memberId: id, address });
      const session = await sessions.open(id, address, { agent: agent ?? null });
      device?.write(await devices.issue({ id, password_hash: secrets.password }));
      return { token: session.token, account: account as Account, expiresAt: epochMs(session.expiresAt) };
    },
    async requestPasswordCode({ address }, body) {
      await countAddress([calls, codesADay], address);
      const owner = await findOwner(body);
      const to = owner ? { memberId: owner.id, mobile: body.mobile } : null;
      const sent = await codes.send(to, "resetPassword", `${body.idNumber} ${body.mobile}`);
      return { ...sent, expiresAt: epochMs(sent.expiresAt) };
    },
    async resetPassword({ address }, body) {
      await countAddress([calls, codesADay], address);
      const owner = await findOwner(body);
      if (!owner) throw new Refusal("ACC_CODE_WRONG", {}, "oneTimeCode");
      await codes.take(owner.id, "resetPassword", body.oneTimeCode);
      const [password_hash, guarantee_hash] = [await hashSecret(body.password), await hashSecret(body.guaranteeCode)];
      await sessions.revokeAll(owner.id, null, async (tx) => {
        const secrets = { password_hash, guarantee_hash, password_changed_at: now() };
        await tx.updateTable("member").set(secrets).where("id", "=", owner.id).execute();
        // Who had the account before the reset, with a passkey of their own, must not have it after it.
        await tx.deleteFrom("passkey").where("member_id", "=", owner.id).execute();
        await noteChange(tx, owner.id, now(), "passwordReset");
      });
      security("passwordReset", { memberId: owner.id, address });
      return null;
    },
  };
}
