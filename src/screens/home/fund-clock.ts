/** The clock of fund raisings: what each is at this moment, and a new reading when one of them opens, closes or is listed. */
import type { Raise } from "#contract/raise.ts";
import { useTurnClock } from "#src/screens/quote/turn-clock.ts";

/** The server decides a raising shortly after its close; until it has, it is asked again this often. */
const ASK_AGAIN_MS = 4_000;

/** A raising as the clock has it: its window opens at its moment. What becomes of it after the close, the server says. */
export function raiseAt(raise: Raise, now: number): Raise {
  return raise.status === "upcoming" && now >= raise.opensAt && now < raise.closesAt ? { ...raise, status: "raising" } : raise;
}

/** Whether a fund can be subscribed to. */
export const isOpenAt = ({ status, closesAt }: Raise, now: number): boolean => status === "raising" && now < closesAt;

/** The next moment at which one of these raisings changes, after `now`; a late decision is due again soon. */
export function nextRaiseTurn(raises: readonly Raise[], now: number): number | null {
  const turns = raises.flatMap(({ status, opensAt, closesAt, tradesFrom }) => {
    if (status === "upcoming") return [opensAt > now ? opensAt : now + ASK_AGAIN_MS];
    if (status === "raising") return [closesAt > now ? closesAt : now + ASK_AGAIN_MS];
    return status === "raised" ? [tradesFrom > now ? tradesFrom : now + ASK_AGAIN_MS] : [];
  });
  return turns.length === 0 ? null : Math.min(...turns);
}

/** The time, renewed with `read` called whenever one of these raisings should have moved on. */
export function useRaiseClock(raises: readonly Raise[], read: () => void): number {
  return useTurnClock((now) => nextRaiseTurn(raises, now), read);
}
