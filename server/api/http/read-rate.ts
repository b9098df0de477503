/** How many calls an address and a member may make; commands have a rate limit of their own, where orders are kept in line. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller } from "#server/api/handler.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import type { Limits, Rate } from "#server/kernel/limits.ts";

const limiter = ({ points, seconds }: Rate): RateLimiterMemory => new RateLimiterMemory({ points, duration: seconds });

async function take(from: RateLimiterMemory, key: string): Promise<void> {
  try {
    await from.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw new Refusal("GEN_TOO_FREQUENT");
    throw error;
  }
}

/** Whether an endpoint's calls are counted where commands are. */
export const isCommand = ({ access, refusals }: Endpoint): boolean => access === "member" && refusals.includes("GEN_TOO_FREQUENT");

/** Visitors of the shared demo member are counted by session: one must not use up what all have. */
const keyOf = ({ memberId, sessionHash, shared }: Caller): string => (shared ? sessionHash : String(memberId));

export class CallRates {
  readonly #byAddress: RateLimiterMemory;
  readonly #strangers: RateLimiterMemory;
  readonly #byMember: RateLimiterMemory;
  readonly #gate: Gate;

  constructor(limits: Limits) {
    this.#byAddress = limiter(limits.readsPerAddress);
    this.#strangers = limiter(limits.strangersPerAddress);
    this.#byMember = limiter(limits.readsPerMember);
    this.#gate = new Gate({ atOnce: limits.readsAtOnce, waiting: limits.readsWaiting, refusal: "GEN_TOO_FREQUENT" });
  }

  /** A call arrives, before anything is looked up for it. @throws Refusal when its address makes too many */
  async arrive(endpoint: Endpoint, address: string): Promise<void> {
    const key = addressKey(address);
    if (!isCommand(endpoint)) await take(this.#byAddress, key);
    const strangers = await this.#strangers.get(key);
    if (strangers !== null && strangers.remainingPoints <= 0) throw new Refusal("GEN_TOO_FREQUENT");
  }

  /** A token was nobody's. */
  async stranger(address: string): Promise<void> {
    await this.#strangers.penalty(addressKey(address));
  }

  /** Work for a member: reads are counted, and a few are worked on at once while the others wait. @throws Refusal when there are too many */
  async work<Result>(endpoint: Endpoint, caller: Caller | null, work: () => Promise<Result>): Promise<Result> {
    if (caller === null || isCommand(endpoint)) return work();
    const key = keyOf(caller);
    await take(this.#byMember, key);
    return this.#gate.run(key, work);
  }
}
