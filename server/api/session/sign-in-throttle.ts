/**
 * Throttles password guessing without locking the owner out: attempts are counted per device, per account and address, and per address.
 * Attempts at one account from everywhere only delay unknown devices, never a device that has signed in to it before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterRes } from "rate-limiter-flexible";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { AddressRate } from "#server/kernel/address-limit.ts";
import { limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import { Refusal } from "#server/kernel/refusal.ts";

/** Wrong attempts allowed per window; an address may be shared by several people. */
const WINDOW_SECONDS = (5 * MINUTE_MS) / SECOND_MS;
const ATTEMPTS = { device: 10, pair: 5, address: 20 };
/** Free attempts at one account from everywhere in 15 minutes, then the delay added by each further one, up to a maximum. */
const ACCOUNT = { free: 10, seconds: (15 * MINUTE_MS) / SECOND_MS, stepMs: 250, mostMs: 4 * SECOND_MS };
/** Delayed attempts per account and in total: each holds a connection. */
const WAITING = { account: 20, all: 500 };

/** One sign-in attempt. */
export interface Try {
  idNumber: string;
  addressKey: string;
  /** The id of a device known for the one member who is tried, else null. */
  device: string | null;
  /** The members who are tried from an unknown device. Each is counted; none are counted by the ID number. */
  claimants?: readonly number[];
}

export interface SignInThrottle {
  /**
   * Counts an attempt before it is verified, so that parallel ones cannot bypass the limit; may delay unknown devices. @returns those of the
   * claimants who may be tried. @throws Refusal when there were too many
   */
  count(one: Try): Promise<readonly number[]>;
  /** Gives back the counted attempt after correct credentials: the device's, or those of the named claimants. */
  release(one: Try): Promise<void>;
}

/** Counts an attempt. @returns false when there were too many */
async function isFree(from: { consume(key: string): Promise<unknown> }, key: string): Promise<boolean> {
  try {
    await from.consume(key);
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
}

async function take(from: { consume(key: string): Promise<unknown> }, key: string): Promise<void> {
  if (!(await isFree(from, key))) throw new Refusal("GEN_TOO_FREQUENT");
}

/** What an attempt is counted against. */
const targetsOf = ({ idNumber, claimants = [] }: Try): string[] => (claimants.length > 0 ? claimants.map(String) : [idNumber]);
const pairOf = (target: string, { addressKey }: Try): string => `${target} ${addressKey}`;

/** Delays attempts of unknown devices; refuses when too many are already waiting. */
function delayQueue(sleep: (ms: number) => Promise<unknown>): (account: string, ms: number) => Promise<void> {
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

/** Opens the throttle. `open` opens its limiters; `sleep` implements the delay. */
export function openSignInThrottle(sleep: (ms: number) => Promise<unknown> = delay, open: OpenLimiter = limitInProcess): SignInThrottle {
  const seconds = WINDOW_SECONDS;
  const byDevice = open("sign-in device", { points: ATTEMPTS.device, seconds });
  const byPair = open("sign-in pair", { points: ATTEMPTS.pair, seconds });
  const byAddress = new AddressRate({ points: ATTEMPTS.address, seconds }, open, "sign-in");
  const byAccount = open("sign-in account", { points: ACCOUNT.free, seconds: ACCOUNT.seconds });
  const wait = delayQueue(sleep);
  return {
    async count(one) {
      if (one.device !== null) {
        await take(byDevice, one.device);
        return [];
      }
      await take(byAddress, one.addressKey);
      const open: string[] = [];
      for (const target of targetsOf(one)) if (await isFree(byPair, pairOf(target, one))) open.push(target);
      if (open.length === 0) throw new Refusal("GEN_TOO_FREQUENT");
      let over = 0;
      for (const target of open) over = Math.max(over, (await byAccount.penalty(target)).consumedPoints - ACCOUNT.free);
      if (over > 0) await wait(one.idNumber, Math.min(ACCOUNT.mostMs, over * ACCOUNT.stepMs));
      return (one.claimants ?? []).filter((id) => open.includes(String(id)));
    },
    async release(one) {
      if (one.device !== null) return void (await byDevice.delete(one.device));
      await byAddress.reward(one.addressKey);
      for (const target of targetsOf(one)) {
        await byPair.delete(pairOf(target, one));
        await byAccount.reward(target);
      }
    },
  };
}
