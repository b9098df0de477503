/** What members' trades and fills add to the market value of groups of shares, minute by minute: the shown indices count it, others do not. */
import { withMembers } from "#server/venue/matching/member-trade.ts";
import type { Day } from "./daily-process.ts";
import type { Baskets } from "./index-basket.ts";
import { Path } from "./intraday-path.ts";
import type { Bar } from "./intraday-path.ts";
import { withFills } from "./moved-path.ts";
import type { MemberSession } from "./public-market.ts";
import type { SeededMarket } from "./seeded-market.ts";
import { clockOf, tradeTimes } from "./trade-times.ts";

/** By group, `count` entries each: at every minute border how much more value, in every minute how many more lots. */
export interface MemberSums {
  values: Float64Array;
  lots: Float64Array;
}

type Changes = [mark: number, by: number][];
/** Of rows that are asked for again and again, which is what the history's thread does. */
const known = new WeakMap<MemberSession, { until: number; changes: Changes }>();

/** The changes of one row's price by members at the borders of the minutes before `until`, each with its border. */
function changesOf(market: SeededMarket, day: Day, member: MemberSession, until: number): Changes {
  const kept = known.get(member);
  if (kept?.until === until) return kept.changes;
  const changes = computeChanges(market, day, member, until);
  known.set(member, { until, changes });
  return changes;
}

function computeChanges(market: SeededMarket, day: Day, { row, minutes, fills }: MemberSession, until: number): Changes {
  const model = market.models[row];
  if (!model) return [];
  const { session } = day;
  const clock = clockOf(market.calendar, session);
  const path = new Path(model, day, market.sessionProfile(session));
  const traded = withFills(path, model, fills);
  const spans = new Map(minutes.map(([, minute, span]) => [minute, span]));
  const marks = new Float64Array(market.calendar.minutes + 1);
  const lots = new Int32Array(market.calendar.minutes + 1);
  path.tape(marks, lots, until);
  const changes: Changes = [];
  let [own, shown] = [path.levelAtOpen, path.levelAtOpen];
  for (let minute = 0; minute < until; minute += 1) {
    const [from = 0, to = 0, volume = 0] = [marks[minute], marks[minute + 1], lots[minute]];
    const span = spans.get(minute);
    if (volume === 0 && !span) continue;
    const before = shown - own;
    const bar: Bar | null = volume > 0 ? { open: 0, high: 0, low: 0, close: 0, volume: 0 } : null;
    if (bar) {
      traded.bar(minute, from, to, volume, bar);
      own = to;
      shown = bar.close;
    }
    if (span) shown = withMembers(bar, tradeTimes(traded, clock, minute, minute + 1), span).close;
    if (shown - own !== before) changes.push([minute + 1, shown - own - before]);
  }
  return changes;
}

/** Sums up what members did in a session before a minute; null where they did nothing to what an index consists of. */
export function memberSums(
  market: SeededMarket,
  { count, groupOf, shares }: Baskets,
  { members, until, dayOf }: { members: readonly MemberSession[]; until: number; dayOf: (row: number) => Day | null },
): MemberSums | null {
  const { minutes } = market.calendar;
  const sums: MemberSums = { values: new Float64Array(count * (minutes + 1)), lots: new Float64Array(count * minutes) };
  const { values, lots } = sums;
  let isEmpty = true;
  for (const member of members) {
    const [group, day] = [groupOf[member.row] ?? -1, dayOf(member.row)];
    if (group < 0 || !day) continue;
    isEmpty = false;
    const weight = (shares[member.row] ?? 0) * day.shares;
    for (const [mark, by] of changesOf(market, day, member, until)) {
      const place = mark * count + group;
      values[place] = (values[place] ?? 0) + by * weight;
    }
    for (const [, minute, span] of member.minutes) {
      const place = minute * count + group;
      if (minute < until) lots[place] = (lots[place] ?? 0) + span.lots;
    }
  }
  if (isEmpty) return null;
  for (let at = count; at < values.length; at += 1) values[at] = (values[at] ?? 0) + (values[at - count] ?? 0);
  return sums;
}
