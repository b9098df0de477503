/**
 * Tests exactly-once execution: hundreds of orders over a faulty network, on two devices, with a broker that is killed; in the end all
 * agree.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import i18next from "i18next";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { Code } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { ORDER_STATUSES } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { dayLimits, step } from "#contract/tick.ts";
import en from "#locales/en.json";
import { openDatabase } from "#server/db/database.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import { sized } from "#tests/support/size.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { openBrowser, openDevice } from "./device.ts";
import type { Device, Ending } from "./device.ts";
import { layFaultProxy } from "./proxy.ts";
import type { FaultProxy, Plan } from "./proxy.ts";
import { drawStories } from "./story.ts";
import type { Story } from "./story.ts";

/** A failing seed can be repeated: `FAULT_SEED=7 npx vitest run --project server tests/server/fault`. */
const seed = Number(process.env["FAULT_SEED"] ?? 20_261_121);
const STORIES = Number(process.env["FAULT_STORIES"] ?? sized(150, 500));
const KILLS = sized(2, 6);
const AT_ONCE = 40;
/** A shorter client timeout, so that a lost call costs one second instead of ten. */
const TIMEOUT_MS = 1_000;

vi.mock("#contract/kernel/endpoint.ts", async (original) => ({
  ...(await original<object>()),
  CALL_TIMEOUT_MS: 1_000,
}));

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = schemaNameOrNull();
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-fault-"));
const config = { dataDir, databaseUrl, databaseSchema, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "always" as const } };

let server: ServerProcess;
let proxy: FaultProxy;
let headers = { token: "", account: "" };
const devices: Device[] = [];
const endings: { story: Story; ending: Ending }[] = [];
let fund: { code: Code; far: number; nearer: number };

const portOf = (url: string): number => Number(new URL(url).port);

async function answered<Name extends Parameters<ServerProcess["call"]>[0]>(name: Name, body: Asked<Name>) {
  const reply = await server.call(name, body, headers);
  if (reply?.status !== 1) throw new Error(`${name}: ${JSON.stringify(reply)}`);
  return reply.data;
}

/** The cheapest of the most active funds with price limits that can be sold at once, so that the money lasts, and two prices far below it. */
async function cheapest(): Promise<typeof fund> {
  const { instruments } = await answered("listInstruments", {});
  const { quotes: flat } = await answered("readView", {
    rows: [],
    ranks: [{ by: "turnover", board: "listed", category: null, size: 30 }],
    channels: {},
  });
  const quotes = Array.from({ length: flat.length / QUOTE_STRIDE }, (_, at) => quoteAt(flat, at * QUOTE_STRIDE));
  const fit = quotes.filter(({ row, last }) => {
    const { tradable, sellLockSeconds, limitPercent } = instruments[row] ?? {};
    return last > 0 && tradable && sellLockSeconds === 0 && limitPercent !== null;
  });
  const [first] = fit.toSorted((one, other) => one.last - other.last);
  const instrument = instruments[first?.row ?? -1];
  if (!first || !instrument) throw new Error("no market");
  const far = dayLimits(instrument, first.reference)?.down ?? 0;
  return { code: Code.parse(instrument.code), far, nearer: step(instrument.kind, far, 1) };
}

async function place(story: Story, device: Device, plan: Plan): Promise<Ending> {
  const far = story.turn === "cancel" || story.turn === "amend";
  const price = story.turn === "refused" ? fund.far + 1 : far ? fund.far : null;
  const pricing = price === null ? ("market" as const) : ("limit" as const);
  const values = { code: fund.code, direction: "rise" as const, pricing, price, lots: 1 };
  return device.command("placeOrder", values, (id) => proxy.plan(id, plan), story.turn === "doubleTap" ? 2 : 1);
}

const cancel = (device: Device, orderNo: OrderNo, plan: Plan): Promise<Ending> =>
  device.command("cancelOrder", { orderNo }, (id) => proxy.plan(id, plan));

const amend = (device: Device, orderNo: OrderNo, plan: Plan): Promise<Ending> =>
  device.command("amendOrder", { orderNo, lots: null, price: fund.nearer }, (id) => proxy.plan(id, plan));

const close = (device: Device, orderNo: OrderNo, plan: Plan): Promise<Ending> =>
  device.command("closeOrder", { orderNo, pricing: "market", price: null, lots: 1 }, (id) => proxy.plan(id, plan));

/** Runs a story. */
async function live(story: Story): Promise<void> {
  const note = (ending: Ending): Ending => {
    endings.push({ story, ending });
    return ending;
  };
  const [first, second] = story.devices.map((n) => devices[n]);
  if (!first || !second) throw new Error("no device");
  const { state, order } = note(await place(story, first, story.plans[0]));
  if (state !== "accepted" || order === null) return;
  const now = devices.map(({ knownOrders }) => knownOrders.get(order.orderNo)).find((known) => known !== undefined) ?? order;
  if (story.turn === "amend") note(await amend(second, order.orderNo, story.plans[2]));
  if (now.status === "pending") note(await cancel(second, order.orderNo, story.plans[1]));
  else if (story.turn === "close") note(await close(second, order.orderNo, story.plans[1]));
  else if (story.turn === "race") {
    const both = await Promise.all([close(first, order.orderNo, story.plans[1]), close(second, order.orderNo, story.plans[2])]);
    both.forEach(note);
  }
}

async function tellAll(): Promise<void> {
  const stories = drawStories(randomFrom(seed), STORIES, KILLS);
  const lines = Array.from({ length: AT_ONCE }, async () => {
    for (let story = stories.shift(); story; story = stories.shift()) {
      if (story.n % 25 === 24) proxy.cutLines();
      await live(story);
    }
  });
  await Promise.all(lines);
}

beforeAll(async () => {
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
  const credentials = await createFundedMember(config);
  server = await spawnServer(config);
  const kill = async (): Promise<void> => {
    await server.kill();
    server = await spawnServer(config);
    proxy.target(portOf(server.url));
  };
  proxy = await layFaultProxy({ port: portOf(server.url), lateMs: TIMEOUT_MS * 1.5, kill });
  const entered = await server.call("signIn", credentials);
  if (entered?.status !== 1) throw new Error("the member could not sign in");
  headers = { token: entered.data.token, account: entered.data.account };
  fund = await cheapest();
  openBrowser(proxy.url, { tokend: headers.token, account: headers.account });
  for (let n = 0; n < 2; n += 1) devices.push(await openDevice(fund.code));
  await vi.waitFor(() => expect(devices.every((device) => device.live())).toBe(true), { timeout: 60_000, interval: 50 });
  await tellAll();
}, 600_000);

afterAll(async () => {
  for (const device of devices) device.stop();
  await proxy.close();
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  if (!databaseUrl || !databaseSchema) return;
  const db = await openDatabase({ dataDir: null, databaseUrl, schema: databaseSchema });
  await db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
  await db.close();
});

/** Every order of the member, as the server lists them. */
async function listed(): Promise<Map<string, Order>> {
  const found = new Map<string, Order>();
  for (let cursor: string | null = null; ;) {
    const page: { items: Order[]; next: string | null } = await answered("listOrders", { statuses: [...ORDER_STATUSES], cursor });
    for (const order of page.items) found.set(order.orderNo, order);
    if (page.next === null) return found;
    cursor = page.next;
  }
}

const count = (name: string, state: string): number =>
  endings.filter(({ ending }) => ending.name === name && ending.state === state).length;

it(`every fault occurred in ${STORIES} stories of seed ${seed}`, () => {
  expect(new Set(endings.map(({ story }) => story.n)).size).toBe(STORIES);
  expect(Object.entries(proxy.happened).filter(([, times]) => times === 0)).toEqual([]);
  for (const name of ["placeOrder", "amendOrder", "cancelOrder", "closeOrder"])
    expect(count(name, "accepted"), name).toBeGreaterThan(STORIES / 50);
  expect(count("placeOrder", "refused") + count("closeOrder", "refused")).toBeGreaterThan(STORIES / 50);
});

/** Compares with orders read at every look, since the market goes on and an order may trade after any reading. */
async function expectServersState(device: Device): Promise<void> {
  const orders = await listed();
  const differ = [...device.knownOrders.values()].filter((order) => orders.get(order.orderNo)?.version !== order.version);
  const told = `${device.live() ? "live" : "not live"}, ${device.facts.length} facts, the last ${device.facts.at(-1)}`;
  expect(
    differ.map(({ orderNo, version }) => `${orderNo} ${version}, the server has ${orders.get(orderNo)?.version}`),
    told,
  ).toEqual([]);
  for (const order of device.knownOrders.values()) expect(order).toEqual(orders.get(order.orderNo));
  const shown = [device.positions(), ...["holding", "pending", "closed", "cancelled"].map((tab) => device.tab(tabOf(tab)))];
  for (const order of shown.flatMap((some) => some ?? [])) expect(order).toEqual(orders.get(order.orderNo));
  const held = [...orders.values()].filter(({ status }) => status === "holding" || status === "readyToClose");
  expect((device.positions() ?? []).map(({ orderNo }) => orderNo).toSorted()).toEqual(held.map(({ orderNo }) => orderNo).toSorted());
}

it("each device shows the server's state", { timeout: 120_000 }, async () => {
  for (const device of devices) {
    await vi.waitFor(() => expectServersState(device), { timeout: 60_000, interval: 100 });
    expect(device.facts).toEqual(device.facts.map((_, at) => (device.facts[0] ?? 0) + at));
  }
});

it("each accepted command was executed once, and each refused one never", { timeout: 120_000 }, async () => {
  await server.stop();
  const db = await openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
  try {
    // The broker's own mentors trade beside the member.
    const mentors = db.kysely.selectFrom("member").select("id").where("account", "like", "mentor-%");
    const orders = await db.kysely.selectFrom("order").selectAll().where("member_id", "not in", mentors).execute();
    const requests = await db.kysely.selectFrom("request").select(["request_id", "order_no"]).execute();
    const acted = new Map(requests.map(({ request_id, order_no }) => [request_id, order_no]));
    expect(acted.size).toBe(requests.length);
    for (const { story, ending } of endings) {
      const label = `story ${story.n} (${story.turn}) ${ending.name} ${ending.seen.join(" > ")}`;
      const made = orders.filter(({ request_id }) => request_id === ending.requestId);
      expect(acted.has(ending.requestId), label).toBe(ending.state === "accepted");
      expect(made, label).toHaveLength(ending.name === "placeOrder" && ending.state === "accepted" ? 1 : 0);
      expect(ending.state, label).not.toBe("failed");
      if (ending.order) expect(acted.get(ending.requestId), label).toBe(ending.order.orderNo);
      // An outcome is final: no state follows it.
      expect(
        ending.seen.filter((state) => state === "accepted" || state === "refused"),
        label,
      ).toHaveLength(1);
    }
    const placed = endings.filter(({ ending }) => ending.name === "placeOrder" && ending.state === "accepted");
    expect(orders.length).toBe(placed.length);
    expect(orders.map(toOrder).filter(({ filledLots, lots }) => filledLots > lots)).toEqual([]);
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
  } finally {
    await db.close();
  }
});

/** The statuses of a tab, as the trade screen requests them. */
function tabOf(tab: string): Order["status"][] {
  return tab === "holding" ? ["holding", "readyToClose"] : [tab as Order["status"]];
}
