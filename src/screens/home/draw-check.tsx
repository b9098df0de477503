/** The draw of an offering, open to all: what was published when, and the draw repeated on this device. */
import type { Offering } from "#contract/offering.ts";
import type { Subscription } from "#contract/subscription.ts";

export function DrawCheck(_props: { offering: Offering; subscription: Subscription | null }) {
  return null;
}
