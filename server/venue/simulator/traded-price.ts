/**
 * The price that trades while the price of the path goes on between two ticks. It changes when the path has gone nearly a tick from it, and
 * so goes on from a change about as often as it turns back. The nearest tick would turn back each time the path wanders about the middle of
 * two, and an index of which one share is a third would give back most of its moves with it.
 */

/**
 * How far a path must have gone, in ticks; `deviation` is that of its step. A path that is seen at the ends of steps is past that already, so
 * it is less the longer they are. A little less than turns back least: then an index does not lag behind what moves all of its shares.
 */
const farEnough = (deviation: number): number => Math.max(0.5, 0.93 - 0.6 * deviation);

/**
 * The price that trades at the end of a step.
 *
 * @param before the price that traded at its start
 * @param exact the price of the path
 * @param nearest the tick nearest to it, within the limits
 * @param tick the size of a tick there
 * @param deviation the standard deviation of the step
 */
export function tradedPrice(before: number, exact: number, nearest: number, tick: number, deviation: number): number {
  return Math.abs(exact - before) < farEnough(deviation / tick) * tick ? before : nearest;
}
