/** The leader as the database names it: its epoch, where it is reached, and the key by which it knows its followers' calls. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import type { ServerConfig } from "#server/config.ts";

const SETTING = "forwardKey";

/** The leader of a database; `url` is null while it opens. */
export interface LeaderRow {
  epoch: number;
  url: string | null;
  key: string | null;
}

export async function readLeader(db: Reader): Promise<LeaderRow> {
  const [row] = await query<LeaderRow>(
    db,
    "SELECT epoch, address AS url, (SELECT value FROM setting WHERE name = $1) AS key FROM server_epoch",
    [SETTING],
  );
  return row ?? { epoch: 0, url: null, key: null };
}

/** Makes a key for this leader: one that became known is worth nothing from the next one on. @returns the leader's own row */
export async function beginRow({ kysely }: Pick<Database, "kysely">): Promise<LeaderRow & { key: string }> {
  const value = randomBytes(32).toString("base64url");
  await kysely
    .insertInto("setting")
    .values({ name: SETTING, value, open: false })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
  return { ...(await readLeader(kysely)), key: value };
}

type Own = Pick<ServerConfig, "serverUrl" | "host"> & Pick<LeaderRow, "epoch">;

/** Says where this leader is reached, now that it listens; nothing once another one leads. */
export async function writeAddress({ kysely }: Pick<Database, "kysely">, { serverUrl, host, epoch }: Own, port: number): Promise<void> {
  await query(kysely, "UPDATE server_epoch SET address = $1 WHERE epoch = $2", [serverUrl ?? ownUrl(host, port), epoch]);
}

function ownUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? hostname() : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
