/** Runs a broker through random steps from a seed, and audits its ledger against its members' facts after each step. */
import { endpoints } from "#contract/endpoints.ts";
import type { Database } from "#server/db/database.ts";
import { passLoanDay } from "#server/accounts/loan-clock.ts";
import { LOSS_LASTS_MS } from "#server/accounts/loss-watch.ts";
import { chargeInterest } from "#server/trading/clearing/charge-interest.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { cents } from "#contract/kernel/money.ts";
import { addProofs, openFunding, signAll } from "./begin-funding.ts";
import { newFunding } from "./funding.ts";
import { offerBlocks } from "./block-steps.ts";
import { audit, checkBooks } from "./ledger-check.ts";
import type { Trader } from "./ledger-check.ts";
import { withDays } from "./futures-steps.ts";
import { Crashed, crashable } from "./crash.ts";
import type { Crashable } from "./crash.ts";
import { beginFeeDay } from "./lending-steps.ts";
import { PAIRS } from "./market.ts";
import { randomFrom } from "./random.ts";
import { issueRows, openPrimary } from "./primary-market.ts";
import { changeMentors, checkServices, checkStops, windDown } from "./service-check.ts";
import { openRunMarket, runRows } from "./service-steps.ts";
import { drawStep } from "./steps.ts";
import type { Step } from "./steps.ts";
import { View } from "./view.ts";
import type { Ask, Offered, PrimaryMarket, World } from "./world.ts";

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

/** Thrown when the ledger is inconsistent, with the seed, the steps so far and the differences. */
export class LedgerMismatch extends Error {}

const PHOTO_SECRET = Buffer.alloc(32, 7);
const DEPOSITS = [100_000_000_000, 1_000_000_000, 1_000_000_000, 200_000_000, 30_000_000];
const BEGIN = Date.UTC(2026, 6, 1, 2, 0, 0);
const REMEMBERED = 25;

interface State {
  world: World;
  db: Database;
  door: Crashable;
  broker: TestBroker;
  report: Report;
  trail: string[];
  /** The order of each request, by member and request id. */
  about: Map<string, string>;
}

type Answer = { ok: unknown } | { refused: Refusal } | { crashed: true };

/** Longer than any run: the simulation calls the periodic jobs itself. */
const NEVER_MS = 2_000_000_000;

/** Opens a broker whose jobs do not use the system clock, so that the same seed gives the same result. */
async function openAgain({ db, world }: Pick<State, "db" | "world">): Promise<{ door: Crashable; broker: TestBroker }> {
  const door = crashable(db);
  const real = globalThis.setInterval;
  globalThis.setInterval = ((look: () => void) => real(look, NEVER_MS)) as typeof setInterval;
  try {
    return { door, broker: await openTestBroker({ db: door, venue: world.venue, clock: world.clock, photoSecret: PHOTO_SECRET }) };
  } finally {
    globalThis.setInterval = real;
  }
}

/** Ticks of the clocks of offerings that take everything that is due: announced, opened, closed, told, charged, allotted. */
const TICKS = 4;

async function lookAtOfferings(db: Database, broker: TestBroker, primary: PrimaryMarket): Promise<void> {
  for (let tick = 0; tick < TICKS; tick += 1) await broker.tick();
  primary.offered = await query<Offered>(
    db.kysely,
    `SELECT offering_no AS "offeringNo", code, kind, opens_at AS "opensAt", closes_at AS "closesAt" FROM offering ORDER BY id`,
  );
}

/** How often the clocks look while a loss lasts: what the first look buys can be at a loss, which the second one sees and the third one ends. */
const LOOKS = 3;

/** Lets the clocks look; with copies and strategies for as long as a loss must last until they stop. */
async function tick({ broker, world }: Pick<State, "broker" | "world">): Promise<void> {
  await broker.tick();
  if (!world.services) return;
  for (let n = 1; n < LOOKS; n += 1) {
    await broker.settled();
    world.clock.now += LOSS_LASTS_MS;
    await broker.tick();
  }
}

/** Runs the jobs that depend on the clock. */
async function lookAtClock({ db, broker, world }: State): Promise<void> {
  const report = (fault: unknown): void => void broker.faults.push(fault);
  const deps = { db, sequencer: broker.sequencer, now: () => world.clock.now, report };
  await chargeInterest(deps).catch(report);
  await settleDue(deps);
  await passLoanDay(deps).catch(report);
  if (world.primary) await lookAtOfferings(db, broker, world.primary);
  else await tick({ broker, world });
  world.venue.setPhase(world.venue.phase(world.clock.now));
}

/** Calls a handler like the HTTP layer: parses the body and validates the answer with the contract. */
async function call({ broker }: State, { trader, name, body }: Ask): Promise<Answer> {
  const { body: schema, data, refusals } = endpoints[name];
  try {
    const answer = await broker.call(name, trader.id, schema.parse(body));
    const read = data.safeParse(answer);
    if (!read.success) throw new Error(`${name} violated the contract with its answer: ${JSON.stringify(read.error.issues)}`);
    return { ok: answer };
  } catch (error) {
    if (error instanceof Crashed) return { crashed: true };
    if (!(error instanceof Refusal)) throw error;
    const known = error.code === "GEN_SYSTEM_BUSY" || (refusals as readonly string[]).includes(error.code);
    if (!known) throw new Error(`${name} was refused with ${error.code}, which its endpoint does not list`, { cause: error });
    return { refused: error };
  }
}

const count = (counts: Record<string, number>, word: string): void => {
  counts[word] = (counts[word] ?? 0) + 1;
};

/** A repeated request never acts twice: every answer concerns the same order, run or copy. */
function sameAsBefore({ about }: State, { trader, body }: Ask, answer: unknown): void {
  if (!("requestId" in body) || typeof answer !== "object" || answer === null) return;
  const { orderNo, runNo, copyNo } = answer as { orderNo?: string; runNo?: string; copyNo?: string };
  const now = orderNo ?? runNo ?? copyNo;
  if (now === undefined) return;
  const key = `${trader.id} ${String(body.requestId)}`;
  const before = about.get(key) ?? now;
  if (before !== now) throw new LedgerMismatch(`request ${key} was about ${before}, now it is about ${now}`);
  about.set(key, before);
}

async function askAll(state: State, asks: readonly Ask[]): Promise<void> {
  const { world, report } = state;
  const answers = await Promise.all(asks.map((ask) => call(state, ask)));
  answers.forEach((answer, at) => {
    const ask = asks[at];
    if (!ask) return;
    if ("ok" in answer && ask.name === "quoteConversion") {
      world.quotes.set(ask.trader.id, (answer.ok as { quoteId: string }).quoteId);
      world.quoted = ask.trader.id;
    }
    if ("ok" in answer && ask.name === "quoteDeposit") {
      world.funding.quotes.set(ask.trader.id, (answer.ok as { quoteId: string }).quoteId);
      world.funding.quoted = ask.trader.id;
    }
    if ("ok" in answer) sameAsBefore(state, ask, answer.ok);
    if ("ok" in answer) count(report.accepted, ask.name);
    else if ("refused" in answer) count(report.refused, answer.refused.code);
    if ("requestId" in ask.body) world.asked.push(ask);
  });
  world.asked.splice(0, world.asked.length - 200);
}

/** Opens a new broker on the same database; its members read the facts they missed. */
async function reopen(state: State): Promise<void> {
  Object.assign(state, await openAgain(state));
  state.report.restarts += 1;
  for (const { id, view } of state.world.traders) {
    for (;;) {
      const { facts, newest } = await state.broker.call("factsSince", id, { after: view.n });
      const wrong = facts.flatMap((fact) => view.take(fact));
      if (wrong.length > 0) throw new LedgerMismatch(wrong.join("\n"));
      if (view.n >= newest) break;
      if (facts.length === 0) throw new LedgerMismatch(`facts after ${view.n} of ${newest} are missing`);
    }
  }
}

/** Crashes the broker during some commands; each is then queried and repeated. */
async function crash(state: State, { when, asks }: Extract<Step, { does: "crash" }>): Promise<void> {
  state.door.arm(when);
  await askAll(state, asks);
  state.broker.stop();
  await state.broker.settled();
  await reopen(state);
  await askAll(state, asks);
}

async function restart(state: State): Promise<void> {
  state.broker.stop();
  await state.broker.settled();
  deliverFacts(state);
  await reopen(state);
}

async function take(state: State, step: Step): Promise<void> {
  await addProofs(state.broker, state.world);
  if (step.does === "ask") await askAll(state, step.asks);
  else if (step.does === "crash") await crash(state, step);
  else if (step.does === "restart") await restart(state);
  else if (step.does === "tick") await tick(state);
  else if (step.does === "mentor") await changeMentors(state.db, state.world);
  await state.broker.settled();
  if (step.does === "wait" || step.does === "day" || step.does === "issue") await lookAtClock(state);
  await state.broker.settled();
}

/** Delivers the published facts to the members. */
function deliverFacts({ broker, world }: State): void {
  const wrong = broker.published.splice(0).flatMap(({ memberId, fact }) => {
    const trader = world.traders.find(({ id }) => id === memberId);
    return trader ? trader.view.take(fact).map((what) => `member ${memberId}: ${what}`) : [];
  });
  const faults = broker.faults.splice(0).filter((fault) => !(fault instanceof Crashed));
  wrong.push(...faults.map((fault) => `fault: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`));
  if (wrong.length > 0) throw new LedgerMismatch(wrong.join("\n"));
}

function agree(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new LedgerMismatch(wrong.slice(0, 20).join("\n"));
}

function describeStep(step: Step): string {
  if ("said" in step) return `${step.does}: ${step.said}`;
  const asks = step.asks.map(({ trader, name, body }) => `member ${trader.id} ${name} ${JSON.stringify(body)}`);
  return `${step.does}${step.does === "crash" ? ` ${step.when}` : ""}: ${asks.join("; ")}`;
}

async function begin({ db, seed, primary = false, services = false }: Run): Promise<State> {
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

/** Runs the simulation on an empty database. @throws LedgerMismatch with the seed and the steps that led to it */
export async function simulate(run: Run): Promise<Report> {
  const state = await begin(run);
  const { world, report, trail } = state;
  let n = 0;
  try {
    for (n = 1; n <= run.steps; n += 1) {
      const step = drawStep(world);
      trail.push(`${n} ${describeStep(step)}`);
      if (trail.length > REMEMBERED) trail.shift();
      await take(state, step);
      deliverFacts(state);
      agree(await checkBooks(run.db.kysely, world.traders));
      if (step.does === "tick") agree(await checkStops(state.broker, world.traders));
      if (n % run.auditEvery !== 0 && n !== run.steps) continue;
      if (world.services && n === run.steps) {
        agree(await windDown(state.broker, world));
        deliverFacts(state);
      }
      agree(await audit(run.db.kysely, world.traders));
      if (world.services) agree(await checkServices(state.broker, world));
      report.audits += 1;
      run.note?.(`${n} steps, seed ${run.seed}`);
    }
    await run.atEnd?.(
      state.broker,
      world.traders.map(({ id }) => id),
    );
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new LedgerMismatch(`seed ${run.seed}, step ${n} of ${run.steps}:\n${what}\n\nbefore it:\n${trail.join("\n")}`, { cause: error });
  } finally {
    state.broker.stop();
    await state.broker.settled();
  }
  for (const { view } of world.traders) {
    report.orders += view.orders.size;
    report.facts += view.n;
    for (const fills of view.fills.values()) report.fills += fills.length;
  }
  return report;
}
