/** Handlers of price alerts: set, withdraw and list. The alert monitor evaluates them. */
import { MAX_ALERTS, alertDue } from "#contract/alert.ts";
import type { PriceRange } from "#contract/alert.ts";
import type { Answer, Body } from "#contract/endpoints.ts";
import { hasEnded } from "#contract/instrument.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { nextAlertStatus, toAlert } from "#server/records/alert.ts";
import type { AlertRecord } from "#server/records/alert.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { lockMember } from "#server/db/member-lock.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export interface AlertHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Pick<Sequencer, "countCommand">;
  alerts: AlertRegistry;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Newest fired alerts in a listing. */
const FIRED_LISTED = 50;

const LIST = `
(SELECT * FROM alert WHERE member_id = $1 AND status = 'waiting' ORDER BY set_at DESC, id)
UNION ALL
(SELECT * FROM alert WHERE member_id = $1 AND status = 'fired' ORDER BY fired_at DESC, id LIMIT $2)`;

async function listed(on: Reader, memberId: number): Promise<Answer<"listAlerts">> {
  return { alerts: (await query<AlertRecord>(on, LIST, [memberId, FIRED_LISTED])).map(toAlert) };
}

const alertOf = (tx: Tx, memberId: number, id: string): Promise<AlertRecord | undefined> =>
  tx.selectFrom("alert").selectAll().where("member_id", "=", memberId).where("id", "=", id).executeTakeFirst();

/** When an alert is set, and the trading day in whose prices. */
interface Moment {
  at: number;
  day: number;
}

/** Stores a new alert. @throws Refusal when the member has too many, or the level is already reached */
async function insert(tx: Tx, memberId: number, body: Body<"setAlert">, range: PriceRange, { at, day }: Moment): Promise<void> {
  const { id, code, kind, level } = body;
  const [waiting] = await query<{ n: number }>(tx, "SELECT count(*)::integer AS n FROM alert WHERE member_id = $1 AND status = 'waiting'", [
    memberId,
  ]);
  if ((waiting?.n ?? 0) >= MAX_ALERTS) throw new Refusal("GEN_LIST_FULL", { n: MAX_ALERTS });
  if (alertDue(body, range)) throw new Refusal("VAL_ALERT_REACHED", {}, "level");
  await tx
    .insertInto("alert")
    .values({
      member_id: memberId,
      id,
      code,
      kind,
      level,
      status: "waiting",
      set_at: at,
      fired_at: null,
      fired_price: null,
      price_day: day,
    })
    .execute();
}

export function alertHandlers(deps: AlertHandlerDeps): Pick<Handlers, "listAlerts" | "setAlert" | "withdrawAlert"> {
  const { db, venue, sequencer, alerts, now } = deps;
  return {
    listAlerts: ({ caller }) => listed(db.kysely, caller.memberId),
    async setAlert({ caller: { memberId } }, body) {
      // A transaction may be retried; the command counts once against the rate limit.
      let counted = false;
      const { row, answer } = await db.transaction(async (tx) => {
        await lockMember(tx, memberId);
        if (await alertOf(tx, memberId, body.id)) return { row: null, answer: await listed(tx, memberId) };
        if (!counted) sequencer.countCommand(memberId);
        counted = true;
        const instrument = venue.instrument(body.code);
        if (!instrument || hasEnded(instrument, now())) throw new Refusal("GEN_NOT_FOUND", {}, "code");
        const at = now();
        await insert(tx, memberId, body, venue.quote(instrument.row), { at, day: taipeiDay(venue.state(at).opensAt) });
        return { row: instrument.row, answer: await listed(tx, memberId) };
      });
      // PostgreSQL returns UUIDs in lower case.
      if (row !== null) alerts.add({ id: body.id.toLowerCase(), memberId, row, kind: body.kind, level: body.level });
      return answer;
    },
    async withdrawAlert({ caller: { memberId } }, { id }) {
      sequencer.countCommand(memberId);
      const answer = await db.transaction(async (tx) => {
        await lockMember(tx, memberId);
        const alert = await alertOf(tx, memberId, id);
        if (!alert) throw new Refusal("GEN_NOT_FOUND", {}, "id");
        const status = nextAlertStatus(alert.status, "alert.withdrawn");
        if (status) await tx.updateTable("alert").set({ status }).where("member_id", "=", memberId).where("id", "=", alert.id).execute();
        return listed(tx, memberId);
      });
      alerts.remove(memberId, id.toLowerCase());
      return answer;
    },
  };
}
