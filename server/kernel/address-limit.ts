/** Limits per client address in two tiers: each address (of IPv6 each /64), and each IPv6 /48 with a larger allowance. */
import { siteKey } from "./address-key.ts";
import { limitInProcess } from "./limiter.ts";
import type { Limiter, OpenLimiter } from "./limiter.ts";
import type { Rate } from "./limits.ts";

/** The allowance of a /48 as a multiple of one address's: its 65,536 /64s may belong to one attacker, or to a provider's customers. */
export const SITE_ALLOWANCE = 32;

/** Counts events per address key, see `addressKey`. */
export class AddressRate {
  readonly #address: Limiter;
  readonly #site: Limiter;

  /** `open` and `name`: how the limiters are opened, where not in this process alone. */
  constructor(rate: Rate, open: OpenLimiter = limitInProcess, name = "") {
    this.#address = open(`${name} address`, rate);
    this.#site = open(`${name} site`, { ...rate, points: rate.points * SITE_ALLOWANCE });
  }

  #tiers(key: string): [Limiter, string][] {
    const site = siteKey(key);
    return site === null
      ? [[this.#address, key]]
      : [
          [this.#address, key],
          [this.#site, site],
        ];
  }

  /** Counts one event. @throws RateLimiterRes when there are too many */
  async consume(key: string): Promise<void> {
    for (const [limiter, tier] of this.#tiers(key)) await limiter.consume(tier);
  }

  /** Counts one event, even if there are too many. */
  async penalty(key: string): Promise<void> {
    for (const [limiter, tier] of this.#tiers(key)) await limiter.penalty(tier);
  }

  /** Gives back one event. */
  async reward(key: string): Promise<void> {
    for (const [limiter, tier] of this.#tiers(key)) await limiter.reward(tier);
  }

  /** Tells whether the allowance is used up. */
  async spent(key: string): Promise<boolean> {
    for (const [limiter, tier] of this.#tiers(key)) {
      const counted = await limiter.get(tier);
      if (counted !== null && counted.remainingPoints <= 0) return true;
    }
    return false;
  }
}

/** Counts open resources per address key; keys with a count of zero are dropped. */
export class AddressCount {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Tells whether one more may be opened. */
  hasRoom(key: string): boolean {
    const site = siteKey(key);
    const of = (tier: string): number => this.#counts.get(tier) ?? 0;
    return of(key) < this.#most && (site === null || of(site) < this.#most * SITE_ALLOWANCE);
  }

  add(key: string, change: 1 | -1): void {
    for (const tier of [key, siteKey(key)]) {
      if (tier === null) continue;
      const count = (this.#counts.get(tier) ?? 0) + change;
      if (count > 0) this.#counts.set(tier, count);
      else this.#counts.delete(tier);
    }
  }
}
