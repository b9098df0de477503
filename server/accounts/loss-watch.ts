/** How long copies and runs have been at their stop-loss: they stop once the loss has lasted, so that no single trade sells what they hold. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** The loss must be there at every look for so long; said to the member beside the field of the stop-loss. */
export const LOSS_LASTS_MS = 3 * SECOND_MS;

export class LossWatch {
  #since = new Map<string, number>();

  /** Takes all that are at their loss now. @returns those that have been for long enough */
  look(owners: readonly string[], at: number): ReadonlySet<string> {
    // Where time is moved back, the loss begins again.
    this.#since = new Map(owners.map((owner) => [owner, Math.min(this.#since.get(owner) ?? at, at)]));
    return new Set(owners.filter((owner) => at - (this.#since.get(owner) ?? at) >= LOSS_LASTS_MS));
  }
}
