/** Handlers of the workspace: its panes and charts as they were left, and those saved by name. */
import { Workspace, MAX_SAVED, SavedWorkspace } from "#contract/workspace.ts";
import type { Workspaces } from "#contract/workspace.ts";
import type { Database } from "#server/db/database.ts";
import type { Handlers } from "./handler.ts";

/** Reads workspaces that an earlier or a later version may have stored: an invalid one is the default, an invalid saved one is dropped. */
export function readStored(stored: unknown): Workspaces {
  const { current, saved } = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Record<keyof Workspaces, unknown>>;
  const valid = Array.isArray(saved) ? saved.flatMap((one) => SavedWorkspace.safeParse(one).data ?? []) : [];
  return { current: Workspace.safeParse(current).data ?? null, saved: distinct(valid).slice(0, MAX_SAVED) };
}

/** Of workspaces with one name the later is kept. */
function distinct(saved: readonly SavedWorkspace[]): SavedWorkspace[] {
  return [...new Map(saved.map((one) => [one.name, one])).values()];
}

/** What the database alone answers. */
export const workspaceReads = ({ db: { kysely } }: { db: Database }): Pick<Handlers, "readWorkspaces"> => ({
  async readWorkspaces({ caller }) {
    const row = await kysely.selectFrom("workspace").select("body").where("member_id", "=", caller.memberId).executeTakeFirst();
    return readStored(row?.body);
  },
});

export function workspaceHandlers({ db }: { db: Database }): Pick<Handlers, "readWorkspaces" | "saveWorkspaces"> {
  return {
    ...workspaceReads({ db }),
    async saveWorkspaces({ caller }, { current, saved }) {
      const stored: Workspaces = { current, saved: distinct(saved) };
      const body = JSON.stringify(stored);
      await db.kysely
        .insertInto("workspace")
        .values({ member_id: caller.memberId, body })
        .onConflict((conflict) => conflict.column("member_id").doUpdateSet({ body }))
        .execute();
      return stored;
    },
  };
}
