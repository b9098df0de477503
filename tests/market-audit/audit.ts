/** The command `npm run audit:market`: prints how real the simulated market's days look, and what simple strategies earn on it. */
import { parseArgs } from "node:util";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { SIGNIFICANT, runBattery } from "./battery.ts";
import { findingsOf } from "./contract-moves.ts";
import { record } from "./contract-record.ts";
import { figuresOf, medianFigures, passes } from "./figures.ts";
import { readPanel } from "./panel.ts";
import { recordVolatility } from "./volatility-record.ts";
import { earns, volatilityFindings } from "./volatility-trades.ts";
import type { VolatilityFinding } from "./volatility-trades.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "4" },
    names: { type: "string", default: "200" },
    days: { type: "string", default: "500" },
    hours: { type: "string", default: HOURS.join(",") },
    minutes: { type: "string", default: "100" },
    contracts: { type: "string", default: "12" },
    volatility: { type: "string", default: "12" },
    help: { type: "boolean", default: false },
  },
});

function line(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, nth) => (nth === 0 ? String(cell).padEnd(44) : String(cell).padStart(14))).join("")}\n`);
}

function printFigures(hours: Hours): number {
  const panels = Array.from({ length: Number(values.seeds) }, (_, nth) =>
    figuresOf(readPanel({ seed: nth + 1, hours, names: Number(values.names), days: Number(values.days), minutes: false })),
  );
  line(`${hours}: days that look real`, "measured", "band", "real", "");
  const figures = medianFigures(panels);
  for (const one of figures)
    line(one.name, one.value.toFixed(3), one.band.map((bound) => bound.toFixed(2)).join(" – "), one.real, passes(one) ? "pass" : "FAIL");
  return figures.filter((one) => !passes(one)).length;
}

function printBattery(hours: Hours): number {
  const names = Number(values.minutes);
  const results = runBattery(readPanel({ seed: 1, hours, names, days: Number(values.days), minutes: true }));
  line(`${hours}: strategies after costs`, "sessions", "a trade, %", "t", "");
  for (const { name, sessions, net, t } of results)
    line(name, sessions, (100 * net).toFixed(3), t.toFixed(2), t < SIGNIFICANT ? "pass" : "FAIL");
  return results.filter(({ t }) => t >= SIGNIFICANT).length;
}

/** Sessions are this far apart, so that one regime is not all of them, and followed for no longer than this many minutes. */
const APART = 3;
const FOLLOWED = 300;
/** Of so many signals one is beyond three by chance. */
const TOLD = 4;

/** What foretells contracts: of all signals those that tell most, and what trading by the best one earns. */
function printContracts(hours: Hours): number {
  const market = marketOf(1, hours);
  const { anchor, continuous } = market.calendar;
  const records = Array.from({ length: Number(values.contracts) }, (_, nth) =>
    record(market, { session: anchor + 20 + APART * nth, until: Math.min(FOLLOWED, continuous) }),
  );
  const passesOf = (t: number, netT: number): boolean => Math.abs(t) < TOLD && netT < SIGNIFICANT;
  line(`${hours}: what foretells contracts`, "seconds", "t", "net, .01 %", "t", "");
  const findings = findingsOf(records, "fair").toSorted((a, b) => Math.abs(b.t) - Math.abs(a.t));
  const best = findings.toSorted((a, b) => b.netT - a.netT);
  for (const { signal, seconds, t, net, netT } of new Set([...findings.slice(0, 5), ...best.slice(0, 5)]))
    line(signal, seconds, t.toFixed(2), net.toFixed(2), netT.toFixed(2), passesOf(t, netT) ? "pass" : "FAIL");
  const index = findingsOf(records, "index").toSorted((a, b) => Math.abs(b.t) - Math.abs(a.t))[0];
  if (index) line(`the index itself, by ${index.signal}`, index.seconds, index.t.toFixed(2));
  return findings.filter(({ t, netT }) => !passesOf(t, netT)).length;
}

/** The largest companies, which are the index for options. */
const COMPANIES = 40;

/** What trading volatility on options earns: now, and beside it (`was`) where one volatility priced all times. */
function printVolatility(hours: Hours): number {
  const records = Array.from({ length: Number(values.volatility) }, (_, nth) =>
    recordVolatility({ seed: nth + 1, hours, names: COMPANIES, sessions: Number(values.days), month: 21 }),
  );
  line(`${hours}: volatility, of an expected move, %`, "trades", "bought", "t", "sold", "t", "", "was bought", "t", "was sold", "t");
  const before = volatilityFindings(records, "constant");
  const findings = volatilityFindings(records, "expected");
  for (const [nth, one] of findings.entries()) {
    const cells = ({ bought, boughtT, sold, soldT }: VolatilityFinding): string[] => [
      (100 * bought).toFixed(2),
      boughtT.toFixed(2),
      (100 * sold).toFixed(2),
      soldT.toFixed(2),
    ];
    line(one.name, one.trades, ...cells(one), earns(one) ? "FAIL" : "pass", ...cells(before[nth] ?? one));
  }
  return findings.filter(earns).length;
}

if (values.help) {
  process.stdout.write(
    "--seeds n     markets whose median is taken (4)\n--names n     stocks of each for the figures (200)\n--minutes n   stocks for the strategies (100)\n" +
      `--contracts n sessions for what foretells contracts (12)\n--volatility n markets whose options are traded (12)\n--days n      sessions (500)\n--hours list  of ${HOURS.join(", ")} (all)\n`,
  );
} else {
  let failed = 0;
  for (const hours of HOURS.filter((one) => values.hours.split(",").includes(one)))
    failed += printFigures(hours) + printBattery(hours) + printContracts(hours) + printVolatility(hours);
  line(`${failed} outside their bands`);
  process.exitCode = failed > 0 ? 1 : 0;
}
