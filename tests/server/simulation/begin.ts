/** Begins a run of the simulation: its members, market and broker on an empty database. */
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { cents } from "#contract/kernel/money.ts";
import { openFunding, signAll } from "./begin-funding.ts";
import { newFunding } from "./funding.ts";
import { offerBlocks } from "./block-steps.ts";
import type { Trader } from "./ledger-check.ts";
import { withDays } from "./futures-steps.ts";
import { crashable } from "./crash.ts";
import type { Crashable } from "./crash.ts";
import { beginFeeDay } from "./lending-steps.ts";
import { PAIRS } from "./market.ts";
import { randomFrom } from "./random.ts";
import { issueRows, openPrimary } from "./primary-market.ts";
import { changeMentors } from "./service-check.ts";
import { openRunMarket, runRows } from "./service-steps.ts";
import { View } from "./view.ts";
import type { World } from "./world.ts";

export interface Run {
  db: Database;
  seed: number;
  steps: number;
  /** Number of steps between two full audits. */
  auditEvery: number;
  /** Whether members also take part in offerings, auctions, raisings, increases, blocks and savings plans. */
  primary?: boolean;
  /** Whether members also follow mentors and run strategies. */
  services?: boolean;
  /** Whether everything has happened that the run is to see. Without it the run takes its steps; with it at most `LONGEST` times as many. */
  enough?: (report: Report) => Promise<boolean>;
  /** Called with progress messages. */
  note?: (said: string) => void;
  /** Called at the end, while the broker is still open, with the members' ids. */
  atEnd?: (broker: TestBroker, members: readonly number[]) => Promise<void>;
}

/** Statistics of a run. */
export interface Report {
  /** Accepted commands by endpoint. */
  accepted: Record<string, number>;
  /** Refused commands by refusal code. */
  refused: Record<string, number>;
  orders: number;
  fills: number;
  facts: number;
  restarts: number;
  audits: number;
}

const PHOTO_SECRET = Buffer.alloc(32, 7);
const DEPOSITS = [100_000_000_000, 1_000_000_000, 1_000_000_000, 200_000_000, 30_000_000];
const BEGIN = Date.UTC(2026, 6, 1, 2, 0, 0);
export interface State {
  world: World;
  db: Database;
  door: Crashable;
  broker: TestBroker;
  report: Report;
  trail: string[];
  /** The order of each request, by member and request id. */
  about: Map<string, string>;
}

/** Longer than any run: the simulation calls the periodic jobs itself. */
const NEVER_MS = 2_000_000_000;

/** Opens a broker whose jobs do not use the system clock, so that the same seed gives the same result. */
export async function openAgain({ db, world }: Pick<State, "db" | "world">): Promise<{ door: Crashable; broker: TestBroker }> {
  const door = crashable(db);
  const real = globalThis.setInterval;
  globalThis.setInterval = ((look: () => void) => real(look, NEVER_MS)) as typeof setInterval;
  try {
    return { door, broker: await openTestBroker({ db: door, venue: world.venue, clock: world.clock, photoSecret: PHOTO_SECRET }) };
  } finally {
    globalThis.setInterval = real;
  }
}

/** Everything as a run begins: members with money and what they signed, the market of the kind of run, and the broker. */
export async function begin({ db, seed, primary = false, services = false }: Run): Promise<State> {
  const clock = { now: BEGIN };
  const actions: World["actions"] = new Map();
  const firstRow = INSTRUMENTS.length + PAIRS.length;
  const own = primary ? issueRows(firstRow) : services ? runRows(firstRow) : [];
  const instruments = [...INSTRUMENTS, ...PAIRS, ...own];
  const fake = { ...fakeVenue(instruments, () => clock.now), actions: async (code: string) => actions.get(code) ?? [] };
  const venue = services ? withDays(fake) : fake;
  const traders: Trader[] = [];
  for (const [n, depositCents] of DEPOSITS.entries()) {
    const account = `SIM${n}`;
    const secrets = { password: "s", guaranteeCode: "s", name: "模擬", identity: "verified" as const };
    const id = await createMember(db, { account, idNumber: account, ...secrets, depositCents: cents(depositCents), at: BEGIN });
    traders.push({ id, view: new View(), depositCents });
  }
  // All members may use every feature, and most stocks settle after two days.
  await query(
    db.kysely,
    "UPDATE trader SET margin_status = 'approved', margin_applied_at = $1, margin_approved_at = $1, day_signed_at = $1",
    [BEGIN],
  );
  for (const code of ["2330", "2603", "2881"]) {
    await query(db.kysely, `INSERT INTO rule (part, code, body) VALUES ('trade', $1, '{"settlementDays": 2}')`, [code]);
  }
  const world: World = {
    random: randomFrom(seed),
    venue,
    clock,
    traders,
    actions,
    asked: [],
    quotes: new Map(),
    quoted: null,
    funding: newFunding(),
    offers: [],
    primary: primary ? openPrimary(firstRow) : null,
    services: services ? { mentors: [], dividends: [] } : null,
  };
  const report: Report = { accepted: {}, refused: {}, orders: 0, fills: 0, facts: 0, restarts: 0, audits: 0 };
  const opened = await openAgain({ db, world });
  await openFunding(db, opened.broker, world);
  offerBlocks(world);
  await signAll(opened.broker, world);
  if (services) {
    openRunMarket(world);
    for (let n = 0; n < 2; n += 1) await changeMentors(db, world);
  }
  beginFeeDay(world, 0);
  return { world, db, report, trail: [], about: new Map(), ...opened };
}
