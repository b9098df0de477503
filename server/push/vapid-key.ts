/** The key pair that identifies this server to push services (VAPID): drawn once, stored with the data; the private key is never exposed. */
import webPush from "web-push";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";

export interface VapidKey {
  publicKey: string;
  privateKey: string;
}

/** Reads the key pair, drawing it at the first start. Two processes starting at once get the same one. */
export async function vapidKey({ kysely }: Database): Promise<VapidKey> {
  const read = () => query<{ public_key: string; private_key: string }>(kysely, "SELECT public_key, private_key FROM push_key");
  const [known] = await read();
  if (!known) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    await query(kysely, "INSERT INTO push_key (public_key, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING", [publicKey, privateKey]);
  }
  const kept = known ?? (await read())[0];
  if (!kept) throw new Error("the server has no push key");
  return { publicKey: kept.public_key, privateKey: kept.private_key };
}
