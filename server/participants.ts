/** The features that take part in every batch of the sequencer: one line for each. */
import { priceAlerts } from "#server/alerts/alerts-in-batch.ts";
import { executionReports } from "#server/trading/clearing/reports-in-batch.ts";
import { debts } from "#server/trading/clearing/debt.ts";
import { holdings } from "#server/trading/clearing/holdings-in-batch.ts";
import { exitOrders } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { lendings } from "#server/trading/clearing/lendings-in-batch.ts";
import { blocks } from "#server/trading/clearing/blocks-in-batch.ts";
import { settlements } from "#server/trading/clearing/settlements-in-batch.ts";
import { heldCalls } from "#server/trading/matching-engine/held-calls.ts";
import { queueFills } from "#server/trading/matching-engine/queue-fills.ts";
import type { ParticipantKind } from "#server/trading/sequencer/batch.ts";

export const participants: readonly ParticipantKind[] = [
  priceAlerts,
  exitOrders,
  holdings,
  blocks,
  lendings,
  debts,
  executionReports,
  heldCalls,
  queueFills,
  settlements,
];
