/** Recognises a device that has signed in to an account before by a signed cookie value; the value grants no access. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "#server/db/database.ts";

/** The member of a device. The password hash is signed in, so a new password makes every device unknown. */
export interface DeviceOwner {
  id: number;
  password_hash: string;
}

export interface Devices {
  /** The device id in a cookie value, if the value was issued for this member; else null. */
  known(value: string | null, owner: DeviceOwner): Promise<string | null>;
  /** A cookie value for a device that has just signed in. */
  issue(owner: DeviceOwner): Promise<string>;
}

const SETTING = "deviceSecret";
const BYTES = 32;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/** The signing secret, generated once and stored in `setting`, so that devices stay known after a restart. */
async function readSecret({ kysely }: Database): Promise<Buffer> {
  const value = randomBytes(BYTES).toString("base64url");
  await kysely
    .insertInto("setting")
    .values({ name: SETTING, value, open: false })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const kept = await kysely.selectFrom("setting").select("value").where("name", "=", SETTING).executeTakeFirstOrThrow();
  return Buffer.from(kept.value, "base64url");
}

/** Opens the registry of known devices. */
export function openDevices(db: Database): Devices {
  let secret: Promise<Buffer> | null = null;
  const sign = async (name: string, { id, password_hash: passwordHash }: DeviceOwner): Promise<string> => {
    secret ??= readSecret(db).catch((error: unknown) => {
      secret = null;
      throw error;
    });
    return createHmac("sha256", await secret)
      .update(`${name} ${id} ${passwordHash}`)
      .digest("base64url");
  };
  return {
    async known(value, owner) {
      const [, name, signature] = VALUE.exec(value ?? "") ?? [];
      if (name === undefined || signature === undefined) return null;
      const right = await sign(name, owner);
      return timingSafeEqual(Buffer.from(right), Buffer.from(signature)) ? name : null;
    },
    async issue(owner) {
      const name = randomBytes(16).toString("base64url");
      return `${name}.${await sign(name, owner)}`;
    },
  };
}
