/** Handlers of the watchlist: instruments in groups, both in the member's own order. */
import type { Answer } from "#contract/endpoints.ts";
import type { Code, RequestId } from "#contract/kernel/id.ts";
import { MAX_GROUPS, MAX_GROUP_CODES } from "#contract/watchlist.ts";
import type { WatchGroup } from "#contract/watchlist.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller, Handlers } from "./handler.ts";
import { lockMember } from "#server/db/member-lock.ts";

type WatchlistHandlers = Pick<
  Handlers,
  "readWatchlist" | "addWatch" | "removeWatch" | "arrangeWatch" | "saveGroup" | "removeGroup" | "arrangeGroups"
>;
type Groups = Answer<"readWatchlist">;

const GROUPS = `
SELECT id, name, (
  SELECT coalesce(json_agg(code ORDER BY watchlist.place, added_at, code), '[]') FROM watchlist
  WHERE watchlist.member_id = watch_group.member_id AND group_id = watch_group.id
) AS codes
FROM watch_group WHERE member_id = $1 ORDER BY place, id`;

interface GroupRow {
  id: string;
  name: string;
  codes: string[];
}

async function readGroups(on: Reader, memberId: number): Promise<WatchGroup[]> {
  const rows = await query<GroupRow>(on, GROUPS, [memberId]);
  return rows.map(({ id, name, codes }) => ({ id: id as RequestId, name, codes: codes as Code[] }));
}

/** Finds a group by the client's id, null for the first group; undefined when the member has no such group. */
function groupOf(groups: readonly WatchGroup[], id: string | null): WatchGroup | undefined {
  return id === null ? groups[0] : groups.find((group) => group.id === id.toLowerCase());
}

/** Reorders: the named items first in the given order (duplicates and unknown names ignored), then the rest in their old order. */
function arranged<Name extends string>(present: readonly Name[], named: readonly string[]): Name[] {
  const known = new Set<string>(present);
  const first = [...new Set(named)].filter((name) => known.has(name)) as Name[];
  const taken = new Set<string>(first);
  return [...first, ...present.filter((name) => !taken.has(name))];
}

async function add(tx: Tx, memberId: number, code: Code, id: string | null, at: number): Promise<void> {
  const group = groupOf(await readGroups(tx, memberId), id);
  if (!group) throw new Refusal("GEN_NOT_FOUND", {}, "group");
  if (group.codes.includes(code)) throw new Refusal("GEN_STOCK_CODE_EXISTS", {}, "code");
  if (group.codes.length >= MAX_GROUP_CODES) throw new Refusal("GEN_LIST_FULL", { n: MAX_GROUP_CODES }, "code");
  await query(
    tx,
    `INSERT INTO watchlist (member_id, group_id, code, place, added_at)
     SELECT $1, $2, $3, coalesce(max(place), 0) + 1, $4 FROM watchlist WHERE member_id = $1 AND group_id = $2`,
    [memberId, group.id, code, at],
  );
}

async function arrangeCodes(tx: Tx, memberId: number, id: string, codes: readonly string[]): Promise<void> {
  const group = groupOf(await readGroups(tx, memberId), id);
  if (!group) throw new Refusal("GEN_NOT_FOUND", {}, "group");
  await query(
    tx,
    `UPDATE watchlist SET place = wanted.place FROM unnest($3::text[]) WITH ORDINALITY AS wanted (code, place)
     WHERE member_id = $1 AND group_id = $2 AND watchlist.code = wanted.code`,
    [memberId, group.id, arranged(group.codes, codes)],
  );
}

async function save(tx: Tx, memberId: number, id: string, name: string): Promise<void> {
  const groups = await readGroups(tx, memberId);
  const group = groupOf(groups, id);
  if (groups.some((other) => other !== group && other.name === name)) throw new Refusal("VAL_GROUP_EXISTS", {}, "name");
  if (group) {
    await tx.updateTable("watch_group").set({ name }).where("member_id", "=", memberId).where("id", "=", group.id).execute();
    return;
  }
  if (groups.length >= MAX_GROUPS) throw new Refusal("GEN_LIST_FULL", { n: MAX_GROUPS }, "id");
  await query(
    tx,
    "INSERT INTO watch_group (member_id, id, name, place) SELECT $1, $2, $3, coalesce(max(place), 0) + 1 FROM watch_group WHERE member_id = $1",
    [memberId, id, name],
  );
}

async function remove(tx: Tx, memberId: number, id: string): Promise<void> {
  const groups = await readGroups(tx, memberId);
  const group = groupOf(groups, id);
  if (!group || groups.length === 1) return;
  await tx.deleteFrom("watch_group").where("member_id", "=", memberId).where("id", "=", group.id).execute();
}

async function arrange(tx: Tx, memberId: number, ids: readonly string[]): Promise<void> {
  const present = (await readGroups(tx, memberId)).map(({ id }) => id);
  const wanted = arranged(
    present,
    ids.map((id) => id.toLowerCase()),
  );
  await query(
    tx,
    `UPDATE watch_group SET place = wanted.place FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
     WHERE member_id = $1 AND watch_group.id = wanted.id`,
    [memberId, wanted],
  );
}

/** What the database alone answers. */
export const watchlistReads = ({ db }: { db: Database }): Pick<Handlers, "readWatchlist"> => ({
  readWatchlist: async ({ caller }) => ({ groups: await readGroups(db.kysely, caller.memberId) }),
});

export function watchlistHandlers({ db, venue, now }: { db: Database; venue: Venue; now: () => number }): WatchlistHandlers {
  /** Changes a member's groups under the member's lock and returns the new state. */
  const changing = ({ memberId }: Caller, change: (tx: Tx, memberId: number) => Promise<unknown>): Promise<Groups> =>
    db.transaction(async (tx) => {
      await lockMember(tx, memberId);
      await change(tx, memberId);
      return { groups: await readGroups(tx, memberId) };
    });
  return {
    ...watchlistReads({ db }),
    async addWatch({ caller }, { code, group }) {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return changing(caller, (tx, memberId) => add(tx, memberId, code, group, now()));
    },
    removeWatch: ({ caller }, { codes, group }) =>
      changing(caller, (tx, memberId) => {
        const watched = tx.deleteFrom("watchlist").where("member_id", "=", memberId).where("code", "in", codes);
        return (group === null ? watched : watched.where("group_id", "=", group)).execute();
      }),
    arrangeWatch: ({ caller }, { group, codes }) => changing(caller, (tx, memberId) => arrangeCodes(tx, memberId, group, codes)),
    saveGroup: ({ caller }, { id, name }) => changing(caller, (tx, memberId) => save(tx, memberId, id, name)),
    removeGroup: ({ caller }, { id }) => changing(caller, (tx, memberId) => remove(tx, memberId, id)),
    arrangeGroups: ({ caller }, { ids }) => changing(caller, (tx, memberId) => arrange(tx, memberId, ids)),
  };
}
