/** Tests that nobody earns by trading volatility, in times that look calm or wild least of all; and that the audit sees it where one volatility prices all times. */
import { expect, it } from "vitest";
import { recordVolatility } from "#tests/market-audit/volatility-record.ts";
import { earns, volatilityFindings } from "#tests/market-audit/volatility-trades.ts";
import type { VolatilityFinding } from "#tests/market-audit/volatility-trades.ts";

/** How much more a straddle makes that is bought after wild sessions than after calm ones. */
function apart(findings: readonly VolatilityFinding[]): number {
  const boughtIn = (times: string): number =>
    findings.find(({ name }) => name === `straddle, 1 sessions, hedged, ${times} 5 sessions`)?.bought ?? Number.NaN;
  return boughtIn("wild") - boughtIn("calm");
}

it.each(["always", "taiwan", "compressed"] as const)("options earn nothing after costs, open %s", (hours) => {
  const records = [1, 2, 3, 4, 5, 6].map((seed) => recordVolatility({ seed, hours, names: 12, sessions: 274, month: 21 }));
  const findings = volatilityFindings(records, "expected");
  expect(findings.length).toBeGreaterThan(80);
  for (const { name, trades } of findings) expect(trades, name).toBeGreaterThan(60);
  expect(findings.filter(earns)).toEqual([]);
  expect(Math.abs(apart(findings))).toBeLessThan(0.025);
  expect(apart(volatilityFindings(records, "constant"))).toBeGreaterThan(0.04);
});
