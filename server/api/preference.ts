/** Handlers of preferences: chart and stream settings, and the lines and shapes drawn on charts. */
import type * as z from "zod/mini";
import { ChartLine, ChartShape, Preferences, StudySettings } from "#contract/preference.ts";
import { USUAL_PREFERENCES, USUAL_STUDIES } from "#contract/usual-preference.ts";
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

async function linesOf(on: Reader, memberId: number, code: string): Promise<{ lines: ChartLine[] }> {
  const row = await on
    .selectFrom("chart_line")
    .select("lines")
    .where("member_id", "=", memberId)
    .where("code", "=", code)
    .executeTakeFirst();
  const stored: unknown = row?.lines;
  const lines = Array.isArray(stored) ? stored.flatMap((line) => ChartLine.safeParse(line).data ?? []) : [];
  return { lines };
}

async function shapesOf(on: Reader, memberId: number, code: string): Promise<{ shapes: ChartShape[] }> {
  const row = await on
    .selectFrom("chart_shape")
    .select("shapes")
    .where("member_id", "=", memberId)
    .where("code", "=", code)
    .executeTakeFirst();
  const stored: unknown = row?.shapes;
  const shapes = Array.isArray(stored) ? stored.flatMap((shape) => ChartShape.safeParse(shape).data ?? []) : [];
  return { shapes };
}

/** Removes duplicates by id. */
function distinct<One extends { id: string }>(drawn: readonly One[]): One[] {
  return [...new Map(drawn.map((one) => [one.id, one])).values()];
}

async function keptBy(on: Reader, memberId: number): Promise<Preferences> {
  const row = await on.selectFrom("preference").select("body").where("member_id", "=", memberId).executeTakeFirst();
  return readKept(row?.body);
}

export function preferenceHandlers({ db, venue }: { db: Database; venue: Venue }): PreferenceHandlers {
  const { kysely } = db;
  return {
    async readPreferences({ caller }) {
      return keptBy(kysely, caller.memberId);
    },
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
    readLines: ({ caller }, { code }) => linesOf(kysely, caller.memberId, code),
    async saveLines({ caller: { memberId } }, { code, lines }) {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      const stored = distinct(lines);
      if (stored.length === 0) {
        await kysely.deleteFrom("chart_line").where("member_id", "=", memberId).where("code", "=", code).execute();
      } else {
        await kysely
          .insertInto("chart_line")
          .values({ member_id: memberId, code, lines: JSON.stringify(stored) })
          .onConflict((conflict) => conflict.columns(["member_id", "code"]).doUpdateSet({ lines: JSON.stringify(stored) }))
          .execute();
      }
      return { lines: stored };
    },
    readShapes: ({ caller }, { code }) => shapesOf(kysely, caller.memberId, code),
    async saveShapes({ caller: { memberId } }, { code, shapes }) {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      const stored = distinct(shapes);
      if (stored.length === 0) {
        await kysely.deleteFrom("chart_shape").where("member_id", "=", memberId).where("code", "=", code).execute();
      } else {
        await kysely
          .insertInto("chart_shape")
          .values({ member_id: memberId, code, shapes: JSON.stringify(stored) })
          .onConflict((conflict) => conflict.columns(["member_id", "code"]).doUpdateSet({ shapes: JSON.stringify(stored) }))
          .execute();
      }
      return { shapes: stored };
    },
  };
}
