/** The prices of a member's own positions, working orders and exit orders on a chart, and what dragging them may do. */
import type { Condition } from "#contract/condition.ts";
import { triggerLevel } from "#contract/condition.ts";
import type { OrderFill } from "#contract/fill.ts";
import type { Kind } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Direction, Order, TriggerKind } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";

/** A level at a price in ten-thousandths. */
interface Level {
  id: string;
  price: number;
  direction: Direction;
  /** Units of `lotShares` shares. */
  units: number;
  lotShares: number;
  unitsPerWhole?: number | undefined;
}

/** `average`: the cost of a position. `open`, `close`: a working order. `trigger`: a conditional order. The others are exit orders. */
export type OwnLevel = Level & ({ what: "average" } | { what: "open" | "close" | "trigger" | TriggerKind; order: Order });

/** What a chart needs to know of the member's trading, of all instruments. */
export interface Own {
  positions: readonly Position[];
  pending: readonly Order[];
  held: readonly Order[];
  conditions: readonly Condition[];
}

/** The levels of one instrument. Orders at market have no price, so they have no level. */
export function ownLevels(code: string, { positions, pending, held, conditions }: Own): OwnLevel[] {
  const of = (orders: readonly Order[]): Order[] => orders.filter((order) => order.code === code);
  const averages = positions
    .filter((position) => position.code === code)
    .map(({ id, averagePrice, direction, shares, orders, unitsPerWhole }): OwnLevel => {
      const lotShares = Math.max(1, ...orders.map((order) => order.lotShares));
      const whole = shares % lotShares === 0;
      return {
        id,
        what: "average",
        price: averagePrice,
        direction,
        units: whole ? shares / lotShares : shares,
        lotShares: whole ? lotShares : 1,
        unitsPerWhole,
      };
    });
  const opening = of(pending).flatMap((order): OwnLevel[] => {
    const { orderNo, direction, lots, filledLots, lotShares, unitsPerWhole, trigger, price } = order;
    const at = trigger?.price ?? price;
    return at === null
      ? []
      : [
          {
            id: orderNo,
            what: trigger ? "trigger" : "open",
            price: at,
            direction,
            units: lots - filledLots,
            lotShares,
            unitsPerWhole,
            order,
          },
        ];
  });
  const closing = of(held).flatMap((order): OwnLevel[] => {
    const { orderNo, direction, closingLots, closePrice, lotShares, unitsPerWhole } = order;
    if (closingLots === 0 || closePrice === null) return [];
    return [{ id: `${orderNo} close`, what: "close", price: closePrice, direction, units: closingLots, lotShares, unitsPerWhole, order }];
  });
  const byNo = new Map([...of(pending), ...of(held)].map((order) => [order.orderNo, order]));
  const exits = conditions.flatMap((condition): OwnLevel[] => {
    const order = byNo.get(condition.orderNo);
    const { conditionNo, kind, status, price, best } = condition;
    const at = order && triggerLevel(kind, order.direction, price, best);
    if (!order || status !== "waiting" || at == null) return [];
    const { direction, lotShares, unitsPerWhole, filledLots, closedLots, lots } = order;
    const units = filledLots > closedLots ? filledLots - closedLots : lots;
    return [{ id: conditionNo, what: kind, price: at, direction, units, lotShares, unitsPerWhole, order }];
  });
  return [...averages, ...opening, ...closing, ...exits];
}

/** Whether a level is an exit order's. */
export const exitOf = ({ what }: OwnLevel): TriggerKind | null => TRIGGERS.find((kind) => kind === what) ?? null;

/**
 * How far a trailing stop that is dragged to a price trails: whole ticks, at least one, from the latest price, which a changed one starts
 * from.
 */
export function trailingBy({ direction }: Pick<OwnLevel, "direction">, price: number, kind: Kind, last: number): Price {
  const tick = tickSize(kind, last);
  const away = direction === "rise" ? last - price : price - last;
  return (Math.max(1, Math.round(away / tick)) * tick) as Price;
}

/**
 * Where a dragged level lands: on a tick, for a working order within the day's limits, and for a trailing stop on its side of the latest
 * price.
 */
export function landing(
  level: OwnLevel,
  price: number,
  { kind, limits, last }: { kind: Kind; limits: DayLimits | null; last: number },
): Price {
  const onTick = toTick(kind, Math.max(1, Math.round(price)));
  if (level.what === "trailing" && last > 0) {
    return (last + (level.direction === "rise" ? -1 : 1) * trailingBy(level, price, kind, last)) as Price;
  }
  if (!limits || (level.what !== "open" && level.what !== "close")) return onTick;
  return onTick < limits.down ? limits.down : onTick > limits.up ? limits.up : onTick;
}

/** Whether a level buys: opening a long and closing a short do. */
export const buys = ({ what, direction }: OwnLevel): boolean => (what === "open" || what === "trigger") === (direction === "rise");

/** A mark of an execution. */
export interface FillMark {
  at: number;
  price: number;
  buy: boolean;
}

/** The executions of one instrument as marks; those at one time and price are one mark. */
export function fillMarks(code: string, fills: readonly OrderFill[]): FillMark[] {
  const marks = new Map<string, FillMark>();
  for (const { code: of, at, price, side, direction } of fills) {
    const buy = (side === "open") === (direction === "rise");
    if (of === code) marks.set(`${at} ${price} ${buy}`, { at, price, buy });
  }
  return [...marks.values()];
}

/** Labels nearer to each other than this would lie on each other. */
const LABEL_PX = 18;
const BETWEEN_PX = 4;

/**
 * How far each label moves to the side so that those of one height stand beside each other, in the order of the levels and within `room`.
 * A width is asked for only where labels meet.
 */
export function shiftedLabels(heights: readonly (number | null)[], widthOf: (n: number) => number, room: number): number[] {
  const shifts: number[] = [];
  heights.forEach((height, n) => {
    const ends = heights
      .slice(0, n)
      .flatMap((before, m) =>
        height !== null && before !== null && Math.abs(before - height) < LABEL_PX ? [(shifts[m] ?? 0) + widthOf(m) + BETWEEN_PX] : [],
      );
    shifts.push(ends.length === 0 ? 0 : Math.max(0, Math.min(Math.max(...ends), room - widthOf(n))));
  });
  return shifts;
}
