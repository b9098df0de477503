/** Handlers of preferences: chart and stream settings, and the lines and shapes drawn on charts. */
import type * as z from "zod/mini";
import { ChartLine, ChartShape, Preferences, StudySettings } from "#contract/preference.ts";
import { USUAL_PREFERENCES, USUAL_STUDIES } from "#contract/usual-preference.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type PreferenceHandlers = Pick<Handlers, "readPreferences" | "savePreferences" | "readLines" | "saveLines" | "readShapes" | "saveShapes">;

/** Reads a document field by field; missing, unknown or invalid fields fall back to the default. */
function fieldsOf<Shape extends object>(
  shape: { [Key in keyof Shape]: z.ZodMiniType<Shape[Key]> },
  stored: unknown,
  defaults: Shape,
): Shape {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Record<keyof Shape, unknown>>;
  const read = { ...defaults };
  for (const key of Object.keys(shape) as (keyof Shape)[]) {
    const field = shape[key].safeParse(given[key]);
    if (field.success) read[key] = field.data;
  }
  return read;
}

/** Reads preferences that an earlier or a later version may have stored. */
export function readKept(stored: unknown): Preferences {
  const read = fieldsOf<Preferences>(Preferences.shape, stored, USUAL_PREFERENCES);
  const studies = typeof stored === "object" && stored !== null && "studies" in stored ? stored.studies : null;
  return { ...read, studies: fieldsOf<StudySettings>(StudySettings.shape, studies, USUAL_STUDIES) };
}

/** What members draw on charts: the table and the column of each kind. */
const DRAWINGS = { lines: "chart_line", shapes: "chart_shape" } as const;

interface Drawings<One> {
  read(memberId: number, code: string): Promise<One[]>;
  /** Replaces what is drawn on a chart; of two with one id the later is kept. @returns what was stored */
  save(memberId: number, code: string, drawn: readonly One[]): Promise<One[]>;
}

function openDrawings<One extends { id: string }>(
  { kysely }: Database,
  kind: keyof typeof DRAWINGS,
  schema: z.ZodMiniType<One>,
): Drawings<One> {
  const table = DRAWINGS[kind];
  return {
    async read(memberId, code) {
      const [row] = await query<{ drawn: unknown }>(kysely, `SELECT ${kind} AS drawn FROM ${table} WHERE member_id = $1 AND code = $2`, [
        memberId,
        code,
      ]);
      return Array.isArray(row?.drawn) ? row.drawn.flatMap((one) => schema.safeParse(one).data ?? []) : [];
    },
    async save(memberId, code, drawn) {
      const kept = [...new Map(drawn.map((one) => [one.id, one])).values()];
      if (kept.length === 0) await query(kysely, `DELETE FROM ${table} WHERE member_id = $1 AND code = $2`, [memberId, code]);
      else {
        const put = `INSERT INTO ${table} (member_id, code, ${kind}) VALUES ($1, $2, $3::jsonb)
          ON CONFLICT (member_id, code) DO UPDATE SET ${kind} = excluded.${kind}`;
        await query(kysely, put, [memberId, code, JSON.stringify(kept)]);
      }
      return kept;
    },
  };
}

async function keptBy(on: Reader, memberId: number): Promise<Preferences> {
  const row = await on.selectFrom("preference").select("body").where("member_id", "=", memberId).executeTakeFirst();
  return readKept(row?.body);
}

/** What the database alone answers. */
export function preferenceReads({ db }: { db: Database }): Pick<Handlers, "readPreferences" | "readLines" | "readShapes"> {
  const lines = openDrawings(db, "lines", ChartLine);
  const shapes = openDrawings(db, "shapes", ChartShape);
  return {
    readPreferences: ({ caller }) => keptBy(db.kysely, caller.memberId),
    readLines: async ({ caller }, { code }) => ({ lines: await lines.read(caller.memberId, code) }),
    readShapes: async ({ caller }, { code }) => ({ shapes: await shapes.read(caller.memberId, code) }),
  };
}

export function preferenceHandlers({ db, venue }: { db: Database; venue: Venue }): PreferenceHandlers {
  const lines = openDrawings(db, "lines", ChartLine);
  const shapes = openDrawings(db, "shapes", ChartShape);
  const checkListed = (code: string): void => {
    if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
  };
  return {
    ...preferenceReads({ db }),
    savePreferences: ({ caller: { memberId } }, changes) =>
      db.transaction(async (tx) => {
        // Two devices may change different fields at once.
        await lockMember(tx, memberId);
        const preferences = fieldsOf<Preferences>(Preferences.shape, changes, await keptBy(tx, memberId));
        const body = JSON.stringify(preferences);
        await tx
          .insertInto("preference")
          .values({ member_id: memberId, body })
          .onConflict((conflict) => conflict.column("member_id").doUpdateSet({ body }))
          .execute();
        return preferences;
      }),
    async saveLines({ caller }, { code, lines: drawn }) {
      checkListed(code);
      return { lines: await lines.save(caller.memberId, code, drawn) };
    },
    async saveShapes({ caller }, { code, shapes: drawn }) {
      checkListed(code);
      return { shapes: await shapes.save(caller.memberId, code, drawn) };
    },
  };
}
