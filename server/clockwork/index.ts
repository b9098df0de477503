/** What happens by itself: one line for each. */
import { startAdjusting } from "./adjusting.ts";
import { startAlerting } from "./alerting.ts";
import type { AlertingDeps } from "./alerting.ts";
import { startCollecting } from "./collecting.ts";
import { startConditions } from "./conditions.ts";
import type { ConditionsDeps } from "./conditions.ts";
import { startCalling } from "./calling.ts";
import type { CallingDeps } from "./calling.ts";
import { startInterest } from "./interest.ts";
import { startLiquidating } from "./liquidating.ts";
import { startMargin } from "./margin.ts";
import { startMatching } from "./matching.ts";
import type { MatchingDeps } from "./matching.ts";
import { startRuling } from "./ruling.ts";
import { startSettling } from "./settling.ts";
import { startSquaring } from "./squaring.ts";
import { startSweeping } from "./sweeping.ts";
import { startTaxing } from "./taxing.ts";
import { startWorth } from "./worth.ts";

export type ClockworkDeps = MatchingDeps & CallingDeps & AlertingDeps & ConditionsDeps;

/** Start the clockwork. @returns how to stop it */
export async function startClockwork(deps: ClockworkDeps): Promise<() => void> {
  const stops = [
    // Before anything that trades.
    await startAdjusting(deps),
    startMatching(deps),
    startCalling(deps),
    await startAlerting(deps),
    await startConditions(deps),
    startWorth(deps),
    await startTaxing(deps),
    await startInterest(deps),
    await startLiquidating(deps),
    await startMargin(deps),
    await startCollecting(deps),
    await startSquaring(deps),
    await startSettling(deps),
    startRuling(deps),
    await startSweeping(deps),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
