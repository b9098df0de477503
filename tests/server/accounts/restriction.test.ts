/** Tests restrictions on live sockets and sessions, on calls in flight and on open orders: they act at once, say why, and are lifted again. */
import { randomUUID } from "node:crypto";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Restriction } from "#contract/eligibility.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import { changeRestriction } from "#server/accounts/restriction.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const SECRETS = { password: "a password of their own", guaranteeCode: "424242" };
/** With valid check digits, for the members who sign in. */
const ID_NUMBERS = ["A223456781", "A123456770", "F131104093"];
const WORDS = "Please send us a new photo.";

describe("on a running server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  interface Live {
    account: string;
    idNumber: string;
    headers: Headers;
    events: { event: string; args: unknown[] }[];
    connected: () => boolean;
    close: () => void;
  }
  let made = 0;
  /** A member with money, a session in the cache and a connected socket. */
  async function liveMember(): Promise<Live> {
    made += 1;
    const account = `KS40000${made}`;
    const idNumber = ID_NUMBERS[made - 1] ?? account;
    const person = { account, idNumber, name: "測試", ...SECRETS, identity: "verified" as const, depositCents: 1_000_000_000 as never };
    const id = await createMember(server.db, { ...person, at: Date.now() });
    const { token } = await server.sessions.open(id, "test");
    const headers = { account, token };
    const events: Live["events"] = [];
    const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth: headers, reconnection: false, forceNew: true });
    socket.onAny((event: string, ...args: unknown[]) => void events.push({ event, args }));
    await new Promise((done) => socket.on("connect", () => done(null)));
    expect((await server.post("restoreSession", "{}", headers)).http).toBe(200);
    return { account, idNumber, headers, events, connected: () => socket.connected, close: () => void socket.disconnect() };
  }
  async function ops(verb: "bar" | "unbar", account: string, restriction: Restriction, reason: string): Promise<void> {
    const words = ["member", verb, "--account", account, "--restriction", restriction, "--reason", reason, "--words", WORDS];
    expect(await runCommand(server.db, words, () => undefined)).toBe(0);
  }
  /** Waits for an event of the socket. */
  const received = async (live: Live, event: string, args: unknown): Promise<void> =>
    vi.waitFor(() => expect(live.events).toContainEqual({ event, args }), { timeout: 30_000, interval: 10 });
  const handshake = (auth: Headers): Promise<string> =>
    new Promise((done) => {
      const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth, reconnection: false, forceNew: true });
      socket.on("connect_error", ({ message }) => done(message));
      socket.on("connect", () => done("connected"));
    });
  const order = () => ({ requestId: randomUUID(), code: "2603", direction: "rise", pricing: "market", price: null, lots: 1 });
  const place = async (headers: Headers) => (await server.post("placeOrder", JSON.stringify(order()), headers)).reply;

  it.each([
    ["loginBanned", "ACC_LOGIN_BANNED"],
    ["banned", "ACC_BANNED"],
    ["disabled", "ACC_DISABLED"],
  ] as const)("%s ends socket and session, and says why everywhere", async (restriction, code) => {
    const live = await liveMember();
    const inFlight = Array.from({ length: 20 }, () => place(live.headers));
    await ops("bar", live.account, restriction, "security");
    await received(live, "expired", [code]);
    await vi.waitFor(() => expect(live.connected()).toBe(false), { timeout: 30_000 });
    // A call that arrives meanwhile is carried out or refused with the reason, never anything else.
    for (const reply of await Promise.all(inFlight)) expect([1, code]).toContain(reply.status === 1 ? 1 : reply.code);
    const refused = await server.post("readMember", "{}", live.headers);
    expect(refused).toMatchObject({ http: 401, reply: { status: 0, code } });
    expect(await server.post("readMember", "{}", { ...live.headers, account: "KS100001" })).toMatchObject({
      http: 401,
      reply: { code: "ACC_SESSION_EXPIRED" },
    });
    expect(await handshake(live.headers)).toBe(code);
    const body = JSON.stringify({ idNumber: live.idNumber, ...SECRETS });
    expect((await server.post("signIn", body)).reply).toMatchObject({ status: 0, code });
    await ops("unbar", live.account, restriction, "resolved");
    const again = await server.post("signIn", body);
    expect(again.reply).toMatchObject({ status: 1 });
    if (again.reply.status !== 1) return;
    // The ended session stays ended.
    expect((await server.post("readMember", "{}", live.headers)).http).toBe(401);
    const headers = again.reply.data as Headers;
    await vi.waitFor(async () => {
      const inbox = await server.call("listMessages", { cursor: null }, { token: headers.token, account: headers.account });
      const notices = inbox.status === 1 ? inbox.data.items.flatMap((message) => message.restriction ?? []) : [];
      expect(notices).toEqual([
        { restriction, imposed: false, reason: "resolved", words: WORDS },
        { restriction, imposed: true, reason: "security", words: WORDS },
      ]);
    });
  });

  it.each([
    ["frozen", "placeOrder", () => order(), "ACC_FROZEN"],
    ["tradeBarred", "placeOrder", () => order(), "ACC_TRADE_BARRED"],
    [
      "withdrawBarred",
      "requestWithdrawal",
      () => ({ requestId: randomUUID(), amount: 1_000, cardId: "B1", fundPassword: "135790" }),
      "ACC_WITHDRAW_BARRED",
    ],
  ] as const)("%s is told on the socket, refuses %s, and leaves the session open", async (restriction, name, body, code) => {
    const live = await liveMember();
    await ops("bar", live.account, restriction, "review");
    const notice = (imposed: boolean, reason: string) => [
      expect.objectContaining({
        type: imposed ? "restriction.imposed" : "restriction.lifted",
        message: expect.objectContaining({ kind: "restriction", restriction: { restriction, imposed, reason, words: WORDS } }) as unknown,
      }),
    ];
    const act = async () => (await server.post(name, JSON.stringify(body()), live.headers)).reply;
    expect(await act()).toMatchObject({ code });
    await received(live, "fact", notice(true, "review"));
    expect(live.connected()).toBe(true);
    expect(await server.call("readMember", {}, live.headers)).toMatchObject({ data: { facts: { restrictions: [restriction] } } });
    await ops("unbar", live.account, restriction, "resolved");
    await received(live, "fact", notice(false, "resolved"));
    const after = await act();
    expect(after.status === 1 ? null : after.code).not.toBe(code);
    live.close();
  });
});

describe("on open orders and positions", () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await openTestBroker();
    broker.venue.set(0, { bids: [[99.5, 900]], asks: [[100, 900]], last: 100, reference: 100 });
    await broker.settled();
  });
  afterAll(async () => {
    expect(broker.faults).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    await broker.shut();
  });

  const change = (memberId: number, restriction: Restriction, imposed: boolean, on = broker) =>
    on.db.transaction((tx) => changeRestriction(tx, { memberId, restriction, imposed, reason: "other", words: "", at: on.clock.now }));
  const openOrders = async (memberId: number, on = broker) =>
    (
      await query<{ status: string }>(
        on.db.kysely,
        `SELECT status FROM "order" WHERE member_id = $1 AND status NOT IN ('cancelled', 'closed') ORDER BY order_no`,
        [memberId],
      )
    ).map(({ status }) => status);
  const inbox = async (memberId: number, on = broker) => (await on.call("listMessages", memberId, { cursor: null })).items;
  const told = (memberId: number, count: number, on = broker) =>
    vi.waitFor(async () => expect((await inbox(memberId, on)).filter(({ kind }) => kind === "restriction")).toHaveLength(count), {
      timeout: 30_000,
      interval: 10,
    });

  it("banned withdraws every open order, more than one batch takes, and keeps positions", async () => {
    const member = await broker.newMember();
    await broker.place(member, { lots: 3 });
    for (let nth = 0; nth < 70; nth += 1) await broker.place(member, { price: 95 });
    expect(await openOrders(member)).toHaveLength(71);
    await change(member, "banned", true);
    await told(member, 1);
    expect(await openOrders(member)).toEqual(["holding"]);
    const ended = broker.published.filter(({ memberId, fact }) => memberId === member && fact.type === "order.cancelled");
    expect(ended).toHaveLength(70);
    expect(ended[0]?.fact).toMatchObject({ ended: { lots: 1, cause: "broker" } });
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "ACC_BANNED" });
  });

  it.each([
    ["frozen", "ACC_FROZEN", "ACC_FROZEN"],
    ["tradeBarred", "ACC_TRADE_BARRED", null],
    ["withdrawBarred", null, null],
  ] as const)("%s leaves orders open, and allows what it allows", async (restriction, opening, closing) => {
    const member = await broker.newMember();
    const { orderNo: held } = await broker.place(member, { lots: 2 });
    const { orderNo: resting } = await broker.place(member, { price: 95 });
    await change(member, restriction, true);
    await told(member, 1);
    expect(await openOrders(member)).toEqual(["holding", "pending"]);
    /** The code of a refusal; null when the command was carried out. */
    const codeOf = async (asked: Promise<unknown>): Promise<string | null> => {
      try {
        await asked;
        return null;
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        throw error;
      }
    };
    expect(await codeOf(broker.place(member))).toBe(opening);
    expect(await codeOf(broker.close(member, held))).toBe(closing);
    expect(await codeOf(broker.cancel(member, resting))).toBeNull();
    await change(member, restriction, false);
    await told(member, 2);
    expect(await codeOf(broker.place(member))).toBeNull();
  });

  it("is applied by the next start when the server was killed before, once", async () => {
    const db = await openTestDatabase();
    const before = await openTestBroker({ db });
    const member = await before.newMember();
    await before.place(member, { price: 95 });
    await before.stop();
    await before.settled();
    await change(member, "banned", true, before);
    // Nothing runs any more that could withdraw it.
    expect(await openOrders(member, before)).toEqual(["pending"]);
    const after = await openTestBroker({ db });
    await told(member, 1, after);
    expect(await openOrders(member, after)).toEqual([]);
    await after.stop();
    await after.settled();
    const last = await openTestBroker({ db });
    expect(
      await refusalOf(last.call("cancelOrder", member, { requestId: RequestId.parse(randomUUID()), orderNo: "K999999999999" as never })),
    ).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    await told(member, 1, last);
    expect([...before.faults, ...after.faults, ...last.faults]).toEqual([]);
    await last.shut();
  });
});
