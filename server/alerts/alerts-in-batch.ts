/** The price alerts of a batch: read under the members' lock, fired at most once, and written with the batch's other changes. */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { toMessage } from "#server/records/message.ts";
import type { MessageRecord } from "#server/records/message.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import { alertKey, nextAlertStatus, toAlert } from "#server/records/alert.ts";
import type { AlertRecord } from "#server/records/alert.ts";
import type { WaitingAlert } from "./alert-registry.ts";

/** An alert, and the level that a price has reached. */
type Reached = Pick<WaitingAlert, "id" | "memberId" | "level">;

interface Opened {
  alerts: AlertRecord[];
  unread: { member_id: number; n: number }[];
  /** Numbers for messages, as many as there are alerts. */
  numbers: number[];
}

const NONE: Opened = { alerts: [], unread: [], numbers: [] };

const OPEN = `
SELECT json_build_object(
  'alerts', (SELECT coalesce(json_agg(alert), '[]') FROM alert WHERE member_id = ANY ($1::bigint[]) AND id = ANY ($2::uuid[])),
  'unread', (
    SELECT coalesce(json_agg(one), '[]') FROM (
      SELECT member_id, count(*) AS n FROM message WHERE member_id = ANY ($1::bigint[]) AND NOT read GROUP BY member_id
    ) AS one
  ),
  'numbers', (SELECT json_agg(nextval('message_no')) FROM generate_series(1, $3::integer))
) AS opened`;

/** The alerts of one batch; only `write` accesses the database. */
class AlertsInBatch implements Participant {
  readonly #batch: Batch;
  readonly #alerts: Map<string, AlertRecord>;
  readonly #unread: Map<number, number>;
  readonly #numbers: number[];
  readonly #fired: AlertRecord[] = [];
  readonly #messages: MessageRecord[] = [];

  constructor(batch: Batch, opened: Opened) {
    this.#batch = batch;
    this.#alerts = new Map(opened.alerts.map((alert) => [alertKey(alert.member_id, alert.id), alert]));
    this.#unread = new Map(opened.unread.map(({ member_id, n }) => [member_id, n]));
    this.#numbers = opened.numbers;
  }

  get effects(): number {
    return this.#fired.length;
  }

  /** Fires an alert at a price (null for none) if it still waits for its level: adds its message to the inbox and emits its fact. */
  fire({ memberId, id: alertId, level }: Reached, firedPrice: number | null): void {
    const { at } = this.#batch;
    const alert = this.#alerts.get(alertKey(memberId, alertId));
    const status = alert && nextAlertStatus(alert.status, "alert.fired");
    if (!alert || !status || alert.level !== level) return;
    const id = this.#numbers.shift();
    if (id === undefined) throw new Error("this batch was not asked for so many message numbers");
    Object.assign(alert, { status, fired_at: at, fired_price: firedPrice });
    const message: MessageRecord = {
      id,
      member_id: memberId,
      at,
      kind: "alert",
      read: false,
      alert_id: alert.id,
      call_no: null,
      debt: null,
      report: null,
      identity: null,
      restriction: null,
      deposit: null,
      notice: null,
      loan: null,
      withdrawal: null,
      block: null,
      untold: false,
      auction: null,
    };
    const unread = (this.#unread.get(memberId) ?? 0) + 1;
    this.#unread.set(memberId, unread);
    this.#fired.push(alert);
    this.#messages.push(message);
    this.#batch.emit(memberId, { type: "alert.fired", alert: toAlert(alert), message: toMessage(message, alert), unread });
  }

  /** Writes the fired alerts. */
  async write(tx: Tx): Promise<void> {
    if (this.#fired.length === 0) return;
    await query(
      tx,
      `UPDATE alert SET status = fired.status, fired_at = fired.fired_at, fired_price = fired.fired_price
       FROM json_populate_recordset(NULL::alert, $1::json) AS fired WHERE alert.member_id = fired.member_id AND alert.id = fired.id`,
      [JSON.stringify(this.#fired)],
    );
    await query(tx, "INSERT INTO message SELECT * FROM json_populate_recordset(NULL::message, $1::json)", [JSON.stringify(this.#messages)]);
  }
}

/**
 * How price alerts take part in a batch. They are read under the lock on the members' `tally` rows, which setting, withdrawing and reading
 * an alert also take.
 */
const participant: ParticipantKind<AlertsInBatch> = {
  async open(tx, batch, { memberIds, alertIds }) {
    if (alertIds.length === 0) return new AlertsInBatch(batch, NONE);
    const [row] = await query<{ opened: Opened }>(tx, OPEN, [memberIds, alertIds, alertIds.length]);
    return new AlertsInBatch(batch, row?.opened ?? NONE);
  },
};
export { participant as priceAlerts };

/** Fires a member's alert at a price (null for none) if it still waits for the level that was reached: an ex-date may have moved it since. */
export function fireAlert(batch: Batch, reached: Reached, firedPrice: number | null): void {
  batch.part(participant).fire(reached, firedPrice);
}
