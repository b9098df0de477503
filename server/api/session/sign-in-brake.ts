/**
 * Slows down guessing at the sign-in form without locking an owner out: tries are counted by device, by account and address, and by
 * address. Tries at one account from everywhere only make strangers wait, and never a device that has signed in to it before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { Refusal } from "#server/kernel/refusal.ts";

/** Wrong tries before one has to wait until the window is over; an address may house several people. */
const WINDOW_SECONDS = (5 * MINUTE_MS) / SECOND_MS;
const TRIES = { device: 10, pair: 5, address: 20 };
/** Tries at one account from everywhere within a quarter of an hour before strangers wait, and how much longer with each further one. */
const ACCOUNT = { free: 10, seconds: (15 * MINUTE_MS) / SECOND_MS, stepMs: 250, mostMs: 4 * SECOND_MS };
/** How many tries may wait, at one account and altogether: each holds a connection. */
const WAITING = { account: 20, all: 500 };

/** One try. `device` names one that has signed in to this account before; null for a stranger's. */
export interface Try {
  idNumber: string;
  addressKey: string;
  device: string | null;
}

export interface Brake {
  /** Count a try before it is checked, so that many at once cannot slip past; a stranger may have to wait. @throws Refusal when there were too many */
  press(one: Try): Promise<void>;
  /** It was right: it gives back what was counted. */
  release(one: Try): Promise<void>;
}

const limiter = (points: number, duration = WINDOW_SECONDS): RateLimiterMemory => new RateLimiterMemory({ points, duration });

async function take(from: RateLimiterMemory, key: string): Promise<void> {
  try {
    await from.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw new Refusal("GEN_TOO_FREQUENT");
    throw error;
  }
}

const pairOf = ({ idNumber, addressKey }: Try): string => `${idNumber} ${addressKey}`;

/** Make strangers wait, a bounded number of them. */
function waitingRoom(sleep: (ms: number) => Promise<unknown>): (account: string, ms: number) => Promise<void> {
  const waiting = new Map<string, number>();
  let all = 0;
  return async (account, ms) => {
    const here = waiting.get(account) ?? 0;
    if (here >= WAITING.account || all >= WAITING.all) throw new Refusal("GEN_TOO_FREQUENT");
    waiting.set(account, here + 1);
    all += 1;
    try {
      await sleep(ms);
    } finally {
      all -= 1;
      const left = (waiting.get(account) ?? 1) - 1;
      if (left > 0) waiting.set(account, left);
      else waiting.delete(account);
    }
  };
}

/** Open the brake. `sleep` is how it makes somebody wait. */
export function openBrake(sleep: (ms: number) => Promise<unknown> = delay): Brake {
  const byDevice = limiter(TRIES.device);
  const byPair = limiter(TRIES.pair);
  const byAddress = limiter(TRIES.address);
  const byAccount = limiter(ACCOUNT.free, ACCOUNT.seconds);
  const wait = waitingRoom(sleep);
  return {
    async press(one) {
      if (one.device !== null) return take(byDevice, one.device);
      await take(byAddress, one.addressKey);
      await take(byPair, pairOf(one));
      const { consumedPoints } = await byAccount.penalty(one.idNumber);
      const over = consumedPoints - ACCOUNT.free;
      if (over > 0) await wait(one.idNumber, Math.min(ACCOUNT.mostMs, over * ACCOUNT.stepMs));
    },
    async release(one) {
      if (one.device !== null) return void (await byDevice.delete(one.device));
      await byPair.delete(pairOf(one));
      await byAddress.reward(one.addressKey);
      await byAccount.reward(one.idNumber);
    },
  };
}
