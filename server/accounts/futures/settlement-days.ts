/** The days that begin for positions in futures and options: each is marked for every day since it was last, and settled once it has expired. */

/** A settlement: the fee day that begins with it, and the close of the index before. */
export interface DailySettlement {
  day: number;
  close: number;
}

/** The settlements that are due, the earliest first; what the index lost to dividends on days, in points; the final settlement prices by the fee day of the expiry. */
export interface SettlementPrices {
  daily: readonly DailySettlement[];
  dividends: readonly { day: number; points: number }[];
  final: ReadonlyMap<number, number>;
}

/** By position, the numbers of a trade and a message that its settlement may write. */
export type SettlementNumbers = Map<string, readonly [tradeNo: number, messageNo: number]>;

interface Position {
  position_no: string;
  mark_day: number;
  expiry_day: number;
}

/** What settlements do to a position. */
export interface SettlementSteps<Row> {
  /** Adjusts it for points that the index lost to a dividend, which are neither a holder's gain nor loss. */
  adjust: (row: Row, points: number) => void;
  /** Values it at the close before a day. */
  mark: (row: Row, settlement: DailySettlement) => void;
  /** Writes it after it was marked. */
  marked: (row: Row) => void;
  /** Settles it for good at the final settlement price. */
  settle: (row: Row, final: number, numbers: readonly [tradeNo: number, messageNo: number]) => void;
}

/** Begins a day for positions. @returns how many had it still to begin, and whether days between were missed */
export function beginDay<Row extends Position>(
  rows: readonly Row[],
  day: number,
  { daily, dividends, final }: SettlementPrices,
  numbers: SettlementNumbers,
  { adjust, mark, marked, settle }: SettlementSteps<Row>,
): { count: number; missed: boolean } {
  const adjustFor = (row: Row, after: number, until: number): void => {
    for (const dividend of dividends) if (dividend.day > after && dividend.day <= until) adjust(row, dividend.points);
  };
  const due = rows.filter((row) => row.mark_day < day);
  let missed = false;
  for (const row of due) {
    const settlements = daily.filter((settlement) => settlement.day > row.mark_day && settlement.day <= row.expiry_day);
    missed ||= settlements.length > 1;
    for (const settlement of settlements) {
      // The close has lost the dividends of any day before; those of the day itself come after it.
      adjustFor(row, row.mark_day, settlement.day - 1);
      mark(row, settlement);
      adjustFor(row, settlement.day - 1, settlement.day);
      row.mark_day = settlement.day;
      marked(row);
    }
    const price = final.get(row.expiry_day);
    const taken = numbers.get(row.position_no);
    if (row.expiry_day >= day || price === undefined || !taken) continue;
    adjustFor(row, row.mark_day, row.expiry_day);
    settle(row, price, taken);
  }
  return { count: due.length, missed };
}
