/** The net price of two option positions that are closed together, in tenths of a point: what is received less what is paid. */
import type { Options } from "#src/streams/options.ts";
import { worstPrice } from "./option-outcome.ts";

type Leg = Pick<Options["held"][number], "close"> & {
  position: Pick<Options["held"][number]["position"], "right" | "month" | "strike" | "lots">;
};

const sideOf = ({ position }: Leg): "buy" | "sell" => (position.lots > 0 ? "sell" : "buy");

/** Prices of both together, by what each leg trades at; null where one does not. */
function together(legs: readonly Leg[], priceOf: (leg: Leg, close: number) => number): number | null {
  let net = 0;
  for (const leg of legs) {
    if (leg.close === null) return null;
    net += sideOf(leg) === "sell" ? priceOf(leg, leg.close) : -priceOf(leg, leg.close);
  }
  return net;
}

/** What a lot of both brings at the quotes. */
export const netNow = (legs: readonly Leg[]): number | null => together(legs, (_, close) => close);

/** The least that it brings where no limit is typed: each leg a little beyond its quote. */
export const worstNet = (legs: readonly Leg[]): number | null => together(legs, (leg, close) => worstPrice(sideOf(leg), close));

/**
 * Whether closing costs something, by what the positions are and not by the quotes, so that a limit means the same while they move: what was
 * sold is bought back, and of a spread the leg that is worth more decides. Of any other two the quotes of the moment do.
 */
export function paysNet(legs: readonly Leg[]): boolean {
  const sold = legs.filter(({ position }) => position.lots < 0);
  const bought = legs.filter(({ position }) => position.lots > 0);
  const [one, other] = [sold[0]?.position, bought[0]?.position];
  if (!one || !other) return one !== undefined;
  if (one.right !== other.right || one.month !== other.month) return (netNow(legs) ?? 0) < 0;
  return one.right === "call" ? one.strike < other.strike : one.strike > other.strike;
}

/** The limit that is sent: as typed, paid or received, or a little beyond the quotes. What is no number is none. */
export function limitOfPair(legs: readonly Leg[], pays: boolean, typed: number | null): number | null {
  if (typed === null) return worstNet(legs);
  return pays ? 0 - typed : typed;
}
