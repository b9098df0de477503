/** Handlers of the desk: its panes and charts as they were left, and the saved workspaces. */
import { Desk, MAX_WORKSPACES, Workspace } from "#contract/desk.ts";
import type { Desks } from "#contract/desk.ts";
import type { Database } from "#server/db/database.ts";
import type { Handlers } from "./handler.ts";

/** Reads desks that an earlier or a later version may have stored: an invalid desk is the default, an invalid workspace is dropped. */
export function readStored(stored: unknown): Desks {
  const { current, workspaces } = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Record<keyof Desks, unknown>>;
  const valid = Array.isArray(workspaces) ? workspaces.flatMap((one) => Workspace.safeParse(one).data ?? []) : [];
  return { current: Desk.safeParse(current).data ?? null, workspaces: distinct(valid).slice(0, MAX_WORKSPACES) };
}

/** Of workspaces with one name the later is kept. */
function distinct(workspaces: readonly Workspace[]): Workspace[] {
  return [...new Map(workspaces.map((one) => [one.name, one])).values()];
}

export function deskHandlers({ db: { kysely } }: { db: Database }): Pick<Handlers, "readDesks" | "saveDesks"> {
  return {
    async readDesks({ caller }) {
      const row = await kysely.selectFrom("desk").select("body").where("member_id", "=", caller.memberId).executeTakeFirst();
      return readStored(row?.body);
    },
    async saveDesks({ caller }, { current, workspaces }) {
      const desks: Desks = { current, workspaces: distinct(workspaces) };
      const body = JSON.stringify(desks);
      await kysely
        .insertInto("desk")
        .values({ member_id: caller.memberId, body })
        .onConflict((conflict) => conflict.column("member_id").doUpdateSet({ body }))
        .execute();
      return desks;
    },
  };
}
