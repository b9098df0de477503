/** Runs a broker through random steps from a seed, and audits its ledger against its members' facts after each step. */
import { endpoints } from "#contract/endpoints.ts";
import type { Database } from "#server/db/database.ts";
import { passLoanDay } from "#server/accounts/loan-clock.ts";
import { LOSS_LASTS_MS } from "#server/accounts/loss-watch.ts";
import { chargeInterest } from "#server/trading/clearing/charge-interest.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { addProofs } from "./begin-funding.ts";
import { audit, checkBooks } from "./ledger-check.ts";
import { Crashed } from "./crash.ts";
import { changeMentors, checkServices, checkStops, windDown } from "./service-check.ts";
import { drawStep } from "./steps.ts";
import type { Step } from "./steps.ts";
import type { Ask, Offered, PrimaryMarket } from "./world.ts";
import { begin, openAgain } from "./begin.ts";
import type { Report, Run, State } from "./begin.ts";

/** Thrown when the ledger is inconsistent, with the seed, the steps so far and the differences. */
export class LedgerMismatch extends Error {}

const REMEMBERED = 25;
const LONGEST = 4;

type Answer = { ok: unknown } | { refused: Refusal } | { crashed: true };

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
  await state.broker.stop();
  await state.broker.settled();
  await reopen(state);
  await askAll(state, asks);
}

async function restart(state: State): Promise<void> {
  await state.broker.stop();
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

/** Counts what the members were told of. */
function countAll({ world: { traders }, report }: State): void {
  report.orders = traders.reduce((sum, { view }) => sum + view.orders.size, 0);
  report.facts = traders.reduce((sum, { view }) => sum + view.n, 0);
  report.fills = traders.reduce((sum, { view }) => sum + [...view.fills.values()].reduce((all, { length }) => all + length, 0), 0);
}

/** Whether a run ends with this step: after its steps, and once it has seen enough. */
async function isLast({ steps, auditEvery, enough }: Run, n: number, state: State): Promise<boolean> {
  if (n < steps || (n - steps) % auditEvery > 0) return false;
  countAll(state);
  return !enough || n >= LONGEST * steps || (await enough(state.report));
}

/** Runs the simulation on an empty database. @throws LedgerMismatch with the seed and the steps that led to it */
export async function simulate(run: Run): Promise<Report> {
  const state = await begin(run);
  const { world, report, trail } = state;
  let n = 0;
  try {
    for (let ended = false; !ended;) {
      n += 1;
      const step = drawStep(world);
      trail.push(`${n} ${describeStep(step)}`);
      if (trail.length > REMEMBERED) trail.shift();
      await take(state, step);
      deliverFacts(state);
      agree(await checkBooks(run.db.kysely, world.traders));
      if (step.does === "tick") agree(await checkStops(state.broker, world.traders));
      ended = await isLast(run, n, state);
      if (n % run.auditEvery !== 0 && !ended) continue;
      if (world.services && ended) {
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
    await state.broker.stop();
    await state.broker.settled();
  }
  countAll(state);
  return report;
}
