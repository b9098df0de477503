/** Simple strategies of who buys new issues when they are listed. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { COMMISSION, taxOf } from "./offering-strategies.ts";
import type { Traded } from "./offering-strategies.ts";
import { tOf } from "./strategy-table.ts";
import type { Row } from "./strategy-table.ts";

type Strategy = [name: string, picks: (one: Traded) => boolean, gain: (one: Traded) => number];

const hold =
  (from: number, sessions: number) =>
  ({ opens, closes, terms }: Traded): number => {
    const bought = from === 0 ? (opens[0] ?? 0) : (closes[from - 1] ?? 0);
    const sold = closes[from + sessions - 1] ?? 0;
    return (sold * (1 - COMMISSION - taxOf(terms))) / (bought * (1 + COMMISSION)) - 1;
  };
const all = (): boolean => true;
const openPremium = ({ opens, terms }: Traded): number => (opens[0] ?? 0) / terms.price - 1;
const firstDay = ({ opens, closes }: Traded): number => (closes[0] ?? 0) / (opens[0] ?? 1) - 1;

const STRATEGIES: readonly Strategy[] = [
  ["open, hold 1", all, hold(0, 1)],
  ["open, hold 5", all, hold(0, 5)],
  ["open, hold 20", all, hold(0, 20)],
  ["second session, hold 1", all, hold(1, 1)],
  ["second session, hold 5", all, hold(1, 5)],
  ["second session, hold 19", all, hold(1, 19)],
  ["sixth session, hold 5", all, hold(5, 5)],
  ...(["share", "bond", "fund", "placement"] as const).flatMap((kind): Strategy[] => [
    [`${kind}, hold 5`, ({ terms }) => terms.kind === kind, hold(0, 5)],
    [`${kind}, hold 20`, ({ terms }) => terms.kind === kind, hold(0, 20)],
  ]),
  ["auctioned, hold 5", ({ terms }) => terms.auctioned, hold(0, 5)],
  ["auctioned, hold 20", ({ terms }) => terms.auctioned, hold(0, 20)],
  ["opens above 20 %, hold 5", (one) => openPremium(one) > 0.2, hold(0, 5)],
  ["opens above 5 %, hold 20", (one) => openPremium(one) > 0.05, hold(0, 20)],
  ["opens below its price, hold 5", (one) => openPremium(one) < 0, hold(0, 5)],
  ["opens below its price, hold 20", (one) => openPremium(one) < 0, hold(0, 20)],
  ["rose on day 1, hold 5", (one) => firstDay(one) > 0.02, hold(1, 5)],
  ["rose on day 1, hold 19", (one) => firstDay(one) > 0.02, hold(1, 19)],
  ["fell on day 1, hold 5", (one) => firstDay(one) < -0.02, hold(1, 5)],
  ["fell on day 1, hold 19", (one) => firstDay(one) < -0.02, hold(1, 19)],
  ["cheap, hold 20", ({ terms }) => terms.kind === "share" && terms.price < 30 * PRICE_ONE, hold(0, 20)],
  ["dear, hold 20", ({ terms }) => terms.kind === "share" && terms.price > 80 * PRICE_ONE, hold(0, 20)],
  ["electronics, hold 5", ({ terms }) => terms.category >= "24" && terms.category <= "31", hold(0, 5)],
  ["electronics, hold 20", ({ terms }) => terms.category >= "24" && terms.category <= "31", hold(0, 20)],
  ["biotechnology, hold 20", ({ terms }) => terms.category === "22", hold(0, 20)],
  ["listed board, hold 20", ({ terms }) => terms.board === "listed", hold(0, 20)],
];

/** Every strategy on newly listed issues. */
export function listedTable(traded: readonly Traded[]): Row[] {
  return STRATEGIES.map(([name, picks, gain]) => ({
    group: "listed",
    name,
    ...tOf(traded.filter(picks).map((one) => ({ block: one.block, value: gain(one) }))),
  }));
}
