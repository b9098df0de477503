/** Rate limits of calls per address and member; commands are limited by the sequencer instead. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressRate } from "#server/kernel/address-limit.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller } from "#server/api/handler.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { countOrRefuse } from "#server/kernel/limiter.ts";
import type { Limits, Rate } from "#server/kernel/limits.ts";

const limiter = ({ points, seconds }: Rate): RateLimiterMemory => new RateLimiterMemory({ points, duration: seconds });

/** Tells whether an endpoint takes bodies beyond the usual size: photos. */
const isUpload = ({ limitBytes }: Endpoint): boolean => limitBytes !== undefined;

/** Tells whether an endpoint counts against the command rate limit of the sequencer: commands, and other changes. */
export const hasCommandRate = (endpoint: Endpoint): boolean =>
  endpoint.access === "member" && endpoint.refusals.includes("GEN_TOO_FREQUENT") && !endpoint.isRead && !isUpload(endpoint);

/** Visitors of the shared demo member are limited per session, so that one cannot use up everyone's quota. */
export const callerKey = ({ memberId, sessionHash, shared }: Caller): string => (shared ? sessionHash : String(memberId));

export class CallRates {
  readonly #byAddress: AddressRate;
  readonly #unknownTokens: AddressRate;
  readonly #byMember: RateLimiterMemory;
  readonly #gate: Gate;
  readonly #memberUploads: Gate;
  readonly #uploads: Gate;

  constructor(limits: Limits) {
    this.#byAddress = new AddressRate(limits.readsPerAddress);
    this.#unknownTokens = new AddressRate(limits.unknownTokensPerAddress);
    this.#byMember = limiter(limits.readsPerMember);
    this.#gate = new Gate({ atOnce: limits.readsAtOnce, waiting: limits.readsWaiting, refusal: "GEN_TOO_FREQUENT" });
    this.#memberUploads = new Gate({ atOnce: 1, waiting: limits.uploadsWaiting, refusal: "GEN_TOO_FREQUENT" });
    this.#uploads = new Gate({ atOnce: limits.uploadsAtOnce, waiting: 5 * limits.uploadsAtOnce, refusal: "GEN_SYSTEM_BUSY" });
  }

  /** Counts a read of an address. @throws Refusal when it makes too many */
  async read(address: string): Promise<void> {
    await countOrRefuse(this.#byAddress, addressKey(address));
  }

  /**
   * Counts a call before any lookup. While an address guesses tokens its calls are refused, except those of sessions in memory, so that it
   * cannot lock out a member who shares the address. @throws Refusal when its address makes too many
   */
  async arrive(endpoint: Endpoint, address: string, known: boolean): Promise<void> {
    if (!hasCommandRate(endpoint)) await this.read(address);
    if (known) return;
    if (await this.#unknownTokens.spent(addressKey(address))) throw new Refusal("GEN_TOO_FREQUENT");
  }

  /** Counts a call whose token belongs to no session. */
  async unknownToken(address: string): Promise<void> {
    await this.#unknownTokens.penalty(addressKey(address));
  }

  /**
   * Runs a call of a member: reads are rate limited and run a few at a time, uploads one at a time; the rest queue. `work` reads the body,
   * so that the bodies of those that queue take no memory. @throws Refusal when there are too many
   */
  async work<Result>(endpoint: Endpoint, caller: Caller | null, work: () => Promise<Result>): Promise<Result> {
    if (caller === null || hasCommandRate(endpoint)) return work();
    const key = callerKey(caller);
    await countOrRefuse(this.#byMember, key);
    if (isUpload(endpoint)) return this.#memberUploads.run(key, () => this.#uploads.run("all", work));
    return this.#gate.run(key, work);
  }
}
