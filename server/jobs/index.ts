/** Starts all background jobs, one line each. */
import { startCorporateActions } from "#server/trading/clearing/start-of-day.ts";
import { startAlertAdjustment } from "#server/alerts/alert-adjustment.ts";
import { startAlertMonitor } from "#server/alerts/alert-monitor.ts";
import type { AlertMonitorDeps } from "#server/alerts/alert-monitor.ts";
import { startDebtCollection } from "#server/trading/risk/debt-collection.ts";
import { startTriggerMonitor } from "#server/trading/triggers/trigger-monitor.ts";
import type { TriggerMonitorDeps } from "#server/trading/triggers/trigger-monitor.ts";
import { startLoanClock } from "#server/accounts/loan-clock.ts";
import { startMissedCalls } from "#server/trading/matching-engine/missed-calls.ts";
import { startBorrowFees } from "#server/trading/clearing/borrow-fee.ts";
import { startCallAuctions } from "#server/trading/matching-engine/call-auctions.ts";
import type { CallAuctionDeps } from "#server/trading/matching-engine/call-auctions.ts";
import { UnbookedCalls } from "#server/trading/matching-engine/unbooked-calls.ts";
import { startInterest } from "#server/trading/clearing/charge-interest.ts";
import { startLiquidation } from "#server/trading/risk/liquidation.ts";
import { startMarginMonitor } from "#server/trading/risk/margin-monitor.ts";
import { startQueueClock } from "#server/trading/matching-engine/queue-clock.ts";
import type { QueueClockDeps } from "#server/trading/matching-engine/queue-clock.ts";
import { startReservations } from "#server/trading/order-entry/reservations.ts";
import { startRestingOrders } from "#server/trading/matching-engine/resting-orders.ts";
import type { RestingOrderDeps } from "#server/trading/matching-engine/resting-orders.ts";
import { startIdentityReview } from "#server/accounts/identity-review.ts";
import type { IdentityReviewDeps } from "#server/accounts/identity-review.ts";
import { startErasure } from "#server/accounts/closing.ts";
import { startRestrictions } from "#server/accounts/restriction.ts";
import type { RestrictionDeps } from "#server/accounts/restriction.ts";
import { startTelling } from "#server/accounts/untold-messages.ts";
import { startRuleReload } from "#server/rules/reload.ts";
import { startSettlement } from "#server/trading/clearing/settle-due.ts";
import { startShareNotices } from "#server/trading/clearing/share-notice.ts";
import { startShortCover } from "#server/trading/risk/short-cover.ts";
import { startSquareOff } from "#server/trading/risk/day-trade-square-off.ts";
import { startMemberDays } from "#server/trading/sequencer/member-days.ts";
import { startRetention } from "./retention.ts";
import { startTaxRates } from "#server/trading/clearing/tax-rates.ts";
import { startFundingClock } from "#server/accounts/funding-clock.ts";
import { startOfferingClock } from "#server/offerings/offering-clock.ts";
import { startAuctionClock } from "#server/offerings/auctions/auction-clock.ts";
import { startBlockClock } from "#server/trading/blocks/block-clock.ts";
import { startCopyClock } from "#server/accounts/copy-clock.ts";
import { startMentorClock } from "#server/accounts/mentor-clock.ts";
import { startStrategyClock } from "#server/accounts/strategies/strategy-clock.ts";
import { startFuturesClock } from "#server/accounts/futures/futures-clock.ts";
import { startFuturesMonitor } from "#server/accounts/futures/futures-monitor.ts";
import { startLendingClock } from "#server/accounts/lending-clock.ts";
import { startSavingsClock } from "#server/accounts/savings-clock.ts";
import { startRaiseClock } from "#server/offerings/raise-clock.ts";
import { startApplicationReview } from "#server/accounts/application-review.ts";
import { startRewardClock } from "#server/accounts/reward-clock.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { startEquitySnapshots } from "./equity-snapshots.ts";

export type JobDeps = RestingOrderDeps &
  QueueClockDeps &
  CallAuctionDeps &
  AlertMonitorDeps &
  TriggerMonitorDeps &
  IdentityReviewDeps &
  RestrictionDeps &
  Pick<ClockDeps, "repeat"> & {
    unbooked: UnbookedCalls;
  };

export interface ReportsOfJobs {
  /** Receives errors, and the job they are of. */
  report?: ((error: unknown, job: string) => void) | undefined;
}

/** Stops a job; of one that waits for its last run, it resolves afterwards. */
type Stop = () => void | Promise<void>;

/** The jobs, in the order they are started. */
const JOBS: readonly ((deps: JobDeps) => Stop | Promise<Stop>)[] = [
  // Before anything trades or expires: the orders are as they were when the server went down.
  startMissedCalls,
  // Then the day before is paid for in its own units, then positions are adjusted for ex-dates, before any job trades.
  startBorrowFees,
  startLendingClock,
  startFuturesClock,
  startCorporateActions,
  // What was reserved for the day goes to the market on adjusted positions, before the day's own orders.
  startReservations,
  startAlertAdjustment,
  startQueueClock,
  startRestingOrders,
  startCallAuctions,
  startAlertMonitor,
  startTriggerMonitor,
  startEquitySnapshots,
  startTaxRates,
  startInterest,
  startLoanClock,
  startLiquidation,
  startMarginMonitor,
  startFuturesMonitor,
  startDebtCollection,
  startSquareOff,
  startShortCover,
  startShareNotices,
  startSettlement,
  startFundingClock,
  startBlockClock,
  startSavingsClock,
  startMentorClock,
  startCopyClock,
  startStrategyClock,
  startOfferingClock,
  startRaiseClock,
  startAuctionClock,
  startRestrictions,
  startErasure,
  startRewardClock,
  startApplicationReview,
  startTelling,
  startRuleReload,
  startIdentityReview,
  startRetention,
  startMemberDays,
];

/** Starts all jobs. @returns a function that stops them, and resolves when their clocks are at rest: then the database may close */
export async function startJobs({ report, ...deps }: Omit<JobDeps, "report" | "unbooked"> & ReportsOfJobs): Promise<() => Promise<void>> {
  const stops: Stop[] = [];
  const unbooked = new UnbookedCalls();
  for (const start of JOBS) stops.push(await start({ ...deps, unbooked, report: (error) => report?.(error, start.name) }));
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
