/** Knows a device again that has signed in to an account before, by a signed value it keeps; the value opens nothing. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "#server/db/database.ts";

/** Whose device it is; a new password makes every device a stranger. */
export interface DeviceOwner {
  id: number;
  password_hash: string;
}

export interface Devices {
  /** The name of the device that holds a value, if the value was given out for this member. */
  known(value: string | null, owner: DeviceOwner): Promise<string | null>;
  /** A value for a device that has just signed in. */
  issue(owner: DeviceOwner): Promise<string>;
}

const SETTING = "deviceSecret";
const BYTES = 32;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/** The secret of this broker, made once and kept in its settings, so that a restart forgets no device. */
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

/** Open the register of known devices. */
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
