/** The outbox of push notifications: takes facts after their commit, never waits and never throws, and sends what members missed. */
import { announcementOf } from "#contract/announcement.ts";
import { linesOf, MOST_LINES, withAnnouncement } from "#contract/announcement-burst.ts";
import type { Line, Told } from "#contract/announcement-burst.ts";
import type { Fact } from "#contract/fact.ts";
import type { Instrument } from "#contract/instrument.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { MAX_PUSH_SUBSCRIPTIONS } from "#contract/push-subscription.ts";
import type { PushPayload } from "#contract/push-subscription.ts";
import type { Deliver, Subscription } from "./delivery.ts";
import { dictionaryOf } from "./dictionary.ts";
import type { SubscriptionStore } from "./subscriptions.ts";

export interface PushLimits {
  /** Facts of a member within this time are told together. */
  burstMs: number;
  /** Notifications of a member per minute; what happens beyond is told together when the minute is over. */
  perMinute: number;
  /** Waits before the attempts after the first. */
  retryMs: readonly number[];
  /** Deliveries at once, and those that may wait; beyond, the oldest is dropped: the inbox has it. */
  atOnce: number;
  waiting: number;
  /** The same of one member: members name their push services, and a slow one must not keep the others waiting. */
  memberAtOnce: number;
  memberWaiting: number;
}

export const PUSH_LIMITS: PushLimits = {
  burstMs: SECOND_MS,
  perMinute: 12,
  retryMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
  atOnce: 8,
  waiting: 2_000,
  memberAtOnce: 2,
  // One burst of every browser of the shared demo member.
  memberWaiting: MAX_PUSH_SUBSCRIPTIONS * MOST_LINES,
};

export interface OutboxDeps {
  subscriptions: SubscriptionStore;
  deliver: Deliver;
  instrument: (code: string) => Instrument | undefined;
  now: () => number;
  /** Receives errors; the notification concerned is dropped. */
  report?: ((error: unknown) => void) | undefined;
  limits?: PushLimits | undefined;
}

/** What waits to be told to one member, and when notifications were sent to them. */
interface Mailbox {
  told: Told[];
  timer: NodeJS.Timeout | null;
  sentAt: number[];
}

/** One notification on its way to one browser. */
interface Parcel {
  memberId: number;
  to: Subscription;
  payload: PushPayload;
  attempts: number;
}

/** What the service worker gets. The texts of margin calls and debts name amounts, so only their titles leave the server. */
function payloadOf({ key, title, text, route, tone }: Line, names: boolean): PushPayload {
  return { title, text: names ? text : "", route, tag: key, urgent: tone === "danger" };
}

export class PushOutbox {
  readonly #deps: OutboxDeps;
  readonly #limits: PushLimits;
  readonly #mailboxes = new Map<number, Mailbox>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #waiting: Parcel[] = [];
  /** The member of each delivery under way. */
  readonly #running: number[] = [];
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? PUSH_LIMITS;
  }

  /** Takes a committed fact. Members without a subscription cost a look into a set. */
  add(memberId: number, fact: Fact): void {
    if (this.#stopped || !this.#deps.subscriptions.mayHave(memberId)) return;
    const announcement = announcementOf(fact);
    if (!announcement) return;
    const mailbox = this.#mailboxes.get(memberId) ?? { told: [], timer: null, sentAt: [] };
    this.#mailboxes.set(memberId, mailbox);
    // Several thousand fills in a minute are one count; only the newest are kept for it.
    mailbox.told = withAnnouncement(mailbox.told, announcement).slice(-this.#limits.waiting);
    mailbox.timer ??= this.#after(this.#delayOf(mailbox), () => this.#empty(memberId, mailbox));
  }

  /** Drops what waits; what is being sent is not awaited. */
  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#mailboxes.values()) if (timer) clearTimeout(timer);
    for (const timer of this.#retries) clearTimeout(timer);
    this.#waiting = [];
  }

  #after(ms: number, work: () => void): NodeJS.Timeout {
    return setTimeout(work, ms).unref();
  }

  /** How long a burst is collected: longer when the member got as many notifications as a minute allows. */
  #delayOf(mailbox: Mailbox): number {
    const { burstMs, perMinute } = this.#limits;
    const now = this.#deps.now();
    mailbox.sentAt = mailbox.sentAt.filter((at) => at > now - MINUTE_MS);
    const [oldest] = mailbox.sentAt;
    return oldest === undefined || mailbox.sentAt.length < perMinute ? burstMs : Math.max(burstMs, oldest + MINUTE_MS - now);
  }

  #empty(memberId: number, mailbox: Mailbox): void {
    const { told } = mailbox;
    mailbox.told = [];
    mailbox.timer = null;
    this.#send(memberId, told, mailbox).catch((error: unknown) => (this.#stopped ? undefined : this.#deps.report?.(error)));
  }

  async #send(memberId: number, told: readonly Told[], mailbox: Mailbox): Promise<void> {
    const { subscriptions, instrument, now } = this.#deps;
    const browsers = await subscriptions.of(memberId);
    if (browsers.length === 0) {
      this.#mailboxes.delete(memberId);
      return;
    }
    const amounts = new Set(told.filter(({ announcement: { kind } }) => kind === "marginCall" || kind === "debt").map(({ key }) => key));
    for (const [at, { language, ...to }] of browsers.entries()) {
      const t = await dictionaryOf(language);
      for (const line of linesOf(told, { language, instrumentOf: instrument, t })) {
        if (at === 0) mailbox.sentAt.push(now());
        this.#queue({ memberId, to, payload: payloadOf(line, !amounts.has(line.key)), attempts: 0 });
      }
    }
  }

  #queue(parcel: Parcel): void {
    if (this.#stopped) return;
    const ofMember = ({ memberId }: Parcel): boolean => memberId === parcel.memberId;
    this.#waiting.push(parcel);
    if (this.#waiting.filter(ofMember).length > this.#limits.memberWaiting) this.#waiting.splice(this.#waiting.findIndex(ofMember), 1);
    if (this.#waiting.length > this.#limits.waiting) this.#waiting.shift();
    this.#work();
  }

  /** The oldest parcel of a member who has not as many under way as one may have. */
  #next(): Parcel | undefined {
    const busy = (memberId: number): number => this.#running.filter((one) => one === memberId).length;
    const at = this.#waiting.findIndex(({ memberId }) => busy(memberId) < this.#limits.memberAtOnce);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  #work(): void {
    while (this.#running.length < this.#limits.atOnce) {
      const parcel = this.#next();
      if (!parcel) return;
      this.#running.push(parcel.memberId);
      void this.#deliver(parcel)
        .catch((error: unknown) => (this.#stopped ? undefined : this.#deps.report?.(error)))
        .finally(() => {
          this.#running.splice(this.#running.indexOf(parcel.memberId), 1);
          this.#work();
        });
    }
  }

  /** Whether the browser is still the member's: who signed out, or someone else who signed in there, must not be shown a late one. */
  async #stillWanted({ memberId, to }: Parcel): Promise<boolean> {
    const browsers = await this.#deps.subscriptions.of(memberId);
    return browsers.some(({ endpoint, p256dh, auth }) => endpoint === to.endpoint && p256dh === to.p256dh && auth === to.auth);
  }

  async #deliver(parcel: Parcel): Promise<void> {
    if (parcel.attempts > 0 && !(await this.#stillWanted(parcel))) return;
    const outcome = await this.#deps.deliver(parcel.to, parcel.payload);
    if (outcome === "gone") await this.#deps.subscriptions.forget(parcel.to.endpoint);
    const wait = this.#limits.retryMs[parcel.attempts];
    if (outcome !== "later" || wait === undefined || this.#stopped) return;
    const timer = this.#after(wait, () => {
      this.#retries.delete(timer);
      this.#queue({ ...parcel, attempts: parcel.attempts + 1 });
    });
    this.#retries.add(timer);
  }
}
