/**
 * The futures wallets with open positions, as the monitor looks at them every second. A position is read again only when it has changed: of
 * a thousand that stay as they are, reading them would cost more than all that is done with them.
 */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import type { OptionRecord } from "#server/records/option.ts";
import type { OpenContracts } from "#server/trading/futures/option-margin.ts";

/** What a member has, and owes beyond the money that settles later and pays it then. */
const WALLETS = `SELECT member_id, sum(balance) FILTER (WHERE kind = 'futures' AND currency = 'TWD')::bigint AS balance,
  (0 - sum(balance) FILTER (WHERE kind IN ('debt', 'unsettled')))::bigint AS owed
FROM pocket WHERE kind IN ('futures', 'debt', 'unsettled') AND member_id = ANY ($1::bigint[]) GROUP BY member_id ORDER BY member_id`;
/**
 * What changes with a member's positions. Each change adds to a version, and a number is higher than those before it: as many positions with
 * the same sum of numbers and of versions are the same.
 */
const stateOf = (kind: string): string =>
  `SELECT member_id, '${kind}' || ' ' || count(*) || ' ' || sum(id) || ' ' || sum(version) AS state FROM ${kind}_position
WHERE status IN ('open', 'called') GROUP BY member_id`;
const STATES = `SELECT member_id, string_agg(state, ' ' ORDER BY state) AS state
FROM (${stateOf("futures")} UNION ALL ${stateOf("option")}) AS kind GROUP BY member_id`;
const openOf = (kind: string): string =>
  `SELECT * FROM ${kind}_position WHERE status IN ('open', 'called') AND member_id = ANY ($1::bigint[]) ORDER BY id`;
const [FUTURES, OPTIONS] = [openOf("futures"), openOf("option")];

export interface Watched {
  memberId: number;
  balance: number;
  owed: number;
  rows: OpenContracts;
}

export class WatchedWallets {
  #known = new Map<number, { state: string; rows: OpenContracts }>();

  /** All of them, by member. */
  async read(on: Reader): Promise<Watched[]> {
    const states = await query<{ member_id: number; state: string }>(on, STATES);
    const memberIds = states.map(({ member_id: memberId }) => memberId);
    const changed = states.filter(({ member_id: memberId, state }) => this.#known.get(memberId)?.state !== state);
    const read = await this.#rows(
      on,
      changed.map(({ member_id: memberId }) => memberId),
    );
    const known = new Map<number, { state: string; rows: OpenContracts }>();
    for (const { member_id: memberId, state } of states) {
      const rows = read.get(memberId) ?? this.#known.get(memberId)?.rows;
      if (rows) known.set(memberId, { state, rows });
    }
    this.#known = known;
    if (memberIds.length === 0) return [];
    const wallets = await query<{ member_id: number; balance: number; owed: number }>(on, WALLETS, [memberIds]);
    return wallets.flatMap(({ member_id: memberId, balance, owed }) => {
      const rows = known.get(memberId)?.rows;
      return rows ? [{ memberId, balance, owed, rows }] : [];
    });
  }

  async #rows(on: Reader, memberIds: readonly number[]): Promise<Map<number, OpenContracts>> {
    if (memberIds.length === 0) return new Map();
    const futures = Map.groupBy(await query<FuturesRecord>(on, FUTURES, [memberIds]), ({ member_id: memberId }) => memberId);
    const options = Map.groupBy(await query<OptionRecord>(on, OPTIONS, [memberIds]), ({ member_id: memberId }) => memberId);
    return new Map(memberIds.map((id) => [id, { futures: futures.get(id) ?? [], options: options.get(id) ?? [] }]));
  }
}
