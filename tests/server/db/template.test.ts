/** Tests that the template of the data folder can be built by several at once: none removes what another is still building. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "#server/db/database.ts";
import { onPostgres } from "#tests/support/run.ts";
import { fillDataDir } from "#tests/support/template.ts";

// Of the embedded database alone.
it.skipIf(onPostgres)("is built by several at once, of whom the first one's is kept", async () => {
  const [cache, ...folders] = await Promise.all(["cache-", "one-", "two-"].map((name) => mkdtemp(join(tmpdir(), name))));
  try {
    await Promise.all(folders.map((folder) => fillDataDir(folder, cache)));
    expect(await readdir(cache ?? "")).toHaveLength(1);
    for (const dataDir of folders) await (await openDatabase({ dataDir })).close();
  } finally {
    for (const folder of [cache ?? "", ...folders]) await rm(folder, { recursive: true, force: true });
  }
});
