/** Opens Web Push: the server's key, the subscriptions and the outbox that sends to them. */
import type { Fact } from "#contract/fact.ts";
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openDelivery } from "./delivery.ts";
import { PushOutbox } from "./outbox.ts";
import type { PushLimits } from "./outbox.ts";
import type { EndpointPolicy } from "./public-address.ts";
import { openSubscriptions } from "./subscriptions.ts";
import type { SubscriptionStore } from "./subscriptions.ts";
import { vapidKey } from "./vapid-key.ts";

export interface PushConfig extends EndpointPolicy {
  /** The operator's contact address for push services: `mailto:` or `https:`. */
  contact: string;
  /** Set by tests that cannot wait. */
  limits?: PushLimits | undefined;
}

export interface Push {
  publicKey: string;
  policy: EndpointPolicy;
  subscriptions: SubscriptionStore;
  /** Takes a committed fact; returns at once. */
  add(memberId: number, fact: Fact): void;
  stop(): void;
}

export interface PushDeps {
  db: Database;
  venue: Pick<Venue, "instrument">;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the notification concerned is dropped. */
  report?: ((error: unknown) => void) | undefined;
}

/** A contact address that push services accept, for installations that name none. */
export const NO_CONTACT = "mailto:operator@kuroshio.invalid";

export async function openPush({ db, venue, now, report }: PushDeps, config: PushConfig): Promise<Push> {
  const key = await vapidKey(db);
  const subscriptions = await openSubscriptions(db, now);
  const deliver = openDelivery({ key, contact: config.contact, policy: config });
  const instrument = (code: string) => venue.instrument(code);
  const outbox = new PushOutbox({ subscriptions, deliver, instrument, now, report, limits: config.limits });
  return {
    publicKey: key.publicKey,
    policy: config,
    subscriptions,
    add: (memberId, fact) => outbox.add(memberId, fact),
    stop: () => outbox.stop(),
  };
}
