/** Simple strategies on the market's bars: what each earns a session after costs, and whether that is more than chance. */
import { daySignals, sessionSignals } from "./signals.ts";
import type { Signal } from "./signals.ts";
import { indexStrategies } from "./index-moves.ts";
import type { Panel } from "./panel.ts";
import { mean, tOf } from "./statistics.ts";

interface Result {
  name: string;
  /** Sessions in which it traded. */
  sessions: number;
  /** The mean return of a trade after costs. */
  net: number;
  t: number;
}

/** Commission both ways and the tax of the sale; the tax is half for what is sold on the day it was bought. */
const COSTS = 2 * 0.001_425 + 0.003;
const DAY_COSTS = 2 * 0.001_425 + 0.0015;
/** The part of the stocks that a strategy buys, and the part it sells short. */
const PART = 0.1;
/** From this on a result is no chance. */
export const SIGNIFICANT = 3;

/** The net return of one session: the best tenth bought, the worst sold short, each where its price was not at the limit. */
function sessionReturn(panel: Panel, { score, enter, exit, days }: Signal, session: number): number | null {
  const scored = panel.stocks.flatMap((stock) => {
    const value = score(stock, session);
    return value === null || value === 0 ? [] : [{ stock, value }];
  });
  const count = Math.max(1, Math.floor(panel.stocks.length * PART));
  const ranked = scored.toSorted((a, b) => b.value - a.value);
  const picked = [...ranked.slice(0, count).filter(({ value }) => value > 0), ...ranked.slice(-count).filter(({ value }) => value < 0)];
  const costs = days > 1 ? COSTS : DAY_COSTS;
  const gains = picked.flatMap(({ stock, value }) => {
    const day = stock.days[session];
    const bought = enter(stock, session);
    const sold = exit(stock, session);
    // At a limit there is nobody on the other side.
    if (!day || !bought || !sold || bought >= day.up || bought <= day.down) return [];
    // Ex-dates change the shares that a price is for.
    const held = stock.days.slice(session + 1, session + days);
    const growth = held.reduce((factor, { previous, reference }) => (factor * previous) / reference, sold / bought);
    return [Math.sign(value) * (growth - 1) - costs];
  });
  return gains.length === 0 ? null : mean(gains);
}

/** Runs every strategy over a panel; those inside a day only where it has minutes. */
export function runBattery(panel: Panel): Result[] {
  const inside = (panel.stocks[0]?.marks.length ?? 0) > 0 ? sessionSignals(panel) : [];
  const stocks = [...daySignals(panel), ...inside].map((signal): Result => {
    const returns: number[] = [];
    // Holdings of several days must not overlap.
    for (let session = signal.warmUp; session + signal.days <= panel.sessions; session += signal.days) {
      const value = sessionReturn(panel, signal, session);
      if (value !== null) returns.push(value);
    }
    return { name: signal.name, sessions: returns.length, net: mean(returns), t: tOf(returns) };
  });
  const index = indexStrategies(panel).map(({ name, sessions }): Result => {
    const sums = sessions.map((own) => own.reduce((sum, one) => sum + one, 0));
    return { name, sessions: sessions.length, net: mean(sessions.flat()), t: tOf(sums) };
  });
  return [...stocks, ...index];
}
