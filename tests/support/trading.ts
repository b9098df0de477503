/** A broker for tests: database, fake venue, sequencer, jobs and handlers; members are created on demand. */
import { participants } from "#server/participants.ts";
import { randomUUID } from "node:crypto";
import type { Answer, Body, EndpointName } from "#contract/endpoints.ts";
import type { Fact } from "#contract/fact.ts";
import type { Instrument } from "#contract/instrument.ts";
import { PlaceOrderBody, CloseOrderBody } from "#contract/order.ts";
import type { Direction } from "#contract/order.ts";
import { Account, RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { PRICE_ONE, cents } from "#contract/kernel/money.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { every } from "#server/kernel/every.ts";
import { startJobs } from "#server/jobs/index.ts";
import type { Database } from "#server/db/database.ts";
import { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { createHandlers } from "#server/api/index.ts";
import { openSequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { openSessions } from "#server/api/session-store.ts";
import { NO_CONTACT, openPush } from "#server/push/push.ts";
import type { PhotoStore } from "#server/accounts/photo-store.ts";
import { openPhotos, photoKey } from "#server/accounts/photo-store.ts";
import { openCodes } from "#server/accounts/one-time-code.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";

/** An order of a test; the price in currency units, null at market. */
export interface Ticket {
  direction?: Direction;
  code?: string;
  lots?: number;
  price?: number | null;
  requestId?: string;
  /** Additional fields of the body. */
  also?: Record<string, unknown>;
}

export interface TestBroker {
  db: Database;
  photos: PhotoStore;
  venue: FakeVenue;
  sequencer: Sequencer;
  alerts: AlertRegistry;
  /** Published facts, in order. */
  published: { memberId: number; fact: Fact }[];
  /** Reported errors; most tests assert that there are none. */
  faults: unknown[];
  clock: { now: number };
  newMember(over?: { identity?: IdentityStatus; depositCents?: number }): Promise<number>;
  call<Name extends EndpointName>(name: Name, memberId: number, body: Body<Name>): Promise<Answer<Name>>;
  place(memberId: number, ticket?: Ticket): Promise<Answer<"placeOrder">>;
  close(memberId: number, orderNo: OrderNo, ticket?: Ticket): Promise<Answer<"closeOrder">>;
  cancel(memberId: number, orderNo: OrderNo, requestId?: string): Promise<Answer<"cancelOrder">>;
  /** Resolves when the market's last change was matched. */
  settled(): Promise<void>;
  /** Ticks the clocks of offerings, raisings and auctions now, after a tick that is on its way. */
  tick(): Promise<void>;
  /** Stops trading but keeps the database, like a killed process. */
  stop(): Promise<void>;
  shut(): Promise<void>;
}

/**
 * The instruments of the test broker: two stocks, one that cannot be sold short, one with a lock-up, ETFs, an index and a digital
 * currency.
 */
export const INSTRUMENTS: readonly Instrument[] = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "2603"),
  fakeInstrument(2, "2881", { shortable: false }),
  fakeInstrument(3, "2308", { sellLockSeconds: 600 }),
  fakeInstrument(4, "0050", { kind: "etf", sellLockSeconds: 86_400 }),
  fakeInstrument(5, "IX0001", { kind: "index", tradable: false, shortable: false }),
  fakeInstrument(6, "BTC", { kind: "crypto" }),
  /** Its limits move with the reference, so that tests can set any price. */
  fakeInstrument(7, "2454"),
  /** Without daily limits. */
  fakeInstrument(8, "00646", { kind: "etf", limitPercent: null }),
];

const priceOf = (ticket: Ticket): number | null => (ticket.price == null ? null : Math.round(ticket.price * PRICE_ONE));

/** Returns the refusal of a command; fails the test if it was accepted. */
export async function refusalOf(asked: Promise<unknown>): Promise<Pick<Refusal, "code" | "params" | "field">> {
  const refused = await asked.then(
    () => new Error("it was not refused"),
    (error: unknown) => error,
  );
  if (!(refused instanceof Refusal)) throw refused;
  const { code, params, field } = refused;
  return { code, params, field };
}

/** Clocks that tick as those of the product do, and by hand; never overlapping either. */
function handClocks(): { repeat: typeof every; tick: () => Promise<void> } {
  const ticks = new Set<() => Promise<unknown>>();
  const repeat: typeof every = (ms, work, report) => {
    let last: Promise<unknown> = Promise.resolve();
    const next = () => (last = last.then(work).catch((error: unknown) => (ticks.has(next) ? report?.(error) : undefined)));
    ticks.add(next);
    const stop = every(ms, next, report);
    return async () => {
      ticks.delete(next);
      await stop();
      await last;
    };
  };
  const tick = async (): Promise<void> => void (await Promise.all([...ticks].map((next) => next())));
  return { repeat, tick };
}

let membersMade = 0;

/** Opens a broker; on an existing database if one is given. */
export async function openTestBroker(
  over: { db?: Database; commandsPerSecond?: number; venue?: FakeVenue; clock?: { now: number }; photoSecret?: Buffer } = {},
): Promise<TestBroker> {
  const db = over.db ?? (await openTestDatabase());
  const clock = over.clock ?? { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
  const now = (): number => clock.now;
  const venue = over.venue ?? fakeVenue(INSTRUMENTS, now);
  const published: TestBroker["published"] = [];
  const faults: unknown[] = [];
  const sequencer = await openSequencer({
    db,
    venue,
    participants,
    now,
    publish: (memberId, fact) => published.push({ memberId, fact }),
    report: (fault) => faults.push(fault),
    commandsPerSecond: over.commandsPerSecond ?? 1_000_000,
  });
  const alerts = new AlertRegistry();
  const photos = openPhotos(db, photoKey(over.photoSecret ?? null, null), now);
  const clocks = handClocks();
  const stop = await startJobs({ photos, db, venue, sequencer, alerts, now, report: (fault) => faults.push(fault), repeat: clocks.repeat });
  const push = await openPush({ db, venue, now }, { contact: NO_CONTACT, allowLoopback: false });
  const codes = openCodes(db, { kind: "sandbox" }, now);
  const handlers = createHandlers({ codes, photos, db, venue, sequencer, alerts, sessions: openSessions(db, now), push, now });
  const caller = (memberId: number) => ({
    address: "test",
    caller: { memberId, account: Account.parse(`T${memberId}`), sessionHash: "" },
  });
  // One call for all handlers; the type of `call` ensures that name and body match.
  const call: TestBroker["call"] = (name, memberId, body) => {
    const handler = handlers[name] as unknown as (call: unknown, body: unknown) => Promise<never>;
    return handler(caller(memberId), body);
  };
  return {
    db,
    photos,
    venue,
    sequencer,
    alerts,
    published,
    faults,
    clock,
    call,
    newMember: ({ identity = "verified", depositCents = 1_000_000_000 } = {}) => {
      membersMade += 1;
      const name = `T${membersMade}-${randomUUID().slice(0, 8)}`;
      return createMember(db, {
        account: name,
        idNumber: name,
        name: "王小明",
        password: "secret",
        guaranteeCode: "secret",
        identity,
        depositCents: cents(depositCents),
        at: clock.now,
      });
    },
    place: (memberId, ticket = {}) =>
      call(
        "placeOrder",
        memberId,
        PlaceOrderBody.parse({
          requestId: ticket.requestId ?? randomUUID(),
          code: ticket.code ?? "2330",
          direction: ticket.direction ?? "rise",
          pricing: ticket.price == null ? "market" : "limit",
          price: priceOf(ticket),
          lots: ticket.lots ?? 1,
          ...ticket.also,
        }),
      ),
    close: (memberId, orderNo, ticket = {}) =>
      call(
        "closeOrder",
        memberId,
        CloseOrderBody.parse({
          requestId: ticket.requestId ?? randomUUID(),
          orderNo,
          pricing: ticket.price == null ? "market" : "limit",
          price: priceOf(ticket),
          lots: ticket.lots ?? 1,
          ...ticket.also,
        }),
      ),
    cancel: (memberId, orderNo, requestId) =>
      call("cancelOrder", memberId, { requestId: RequestId.parse(requestId ?? randomUUID()), orderNo }),
    settled: () => sequencer.idle(),
    tick: clocks.tick,
    stop,
    shut: async () => {
      await stop();
      await sequencer.idle();
      await db.close();
    },
  };
}
