/** Tests the limits of the HTTP server: endless calls, endless bodies and malformed requests are refused at a bounded cost. */
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressCount, AddressRate, SITE_ALLOWANCE } from "#server/kernel/address-limit.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { addressFinder } from "#server/api/http/address.ts";
import type { AddressOf } from "#server/api/http/address.ts";
import { capConnections } from "#server/api/http/connections.ts";
import { instrumentHandlers } from "#server/api/instrument.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import { PATIENT, startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

const LONG = 600;
const PER_ADDRESS = 120;
let server: TestServer;
let me: Headers;
let other: Headers;

beforeAll(async () => {
  const rates = {
    readsPerMember: { points: 10, seconds: LONG },
    readsPerAddress: { points: PER_ADDRESS, seconds: LONG },
    unknownTokensPerAddress: { points: 5, seconds: LONG },
  };
  server = await startTestServer({ trustProxy: 1, demo: "private", limits: { ...PATIENT, ...rates, requestMs: 400 } });
  me = await server.enter();
  other = await server.enter("unverified");
});
afterAll(() => server.stop());

const from = (address: string, as: object = {}): Headers => ({ ...as, "x-forwarded-for": address }) as unknown as Headers;
const codeOf = async (name: EndpointName, as: Headers, body = "{}"): Promise<string> => {
  const { reply } = await server.post(name, body, as);
  return reply.status === 0 ? reply.code : "OK";
};

describe("reads", () => {
  it("of one member are limited over all addresses and sessions; commands and other members are not affected", async () => {
    const second = await server.enter();
    const asked = await Promise.all(Array.from({ length: 16 }, (_, n) => codeOf("readRisk", from(`198.51.100.${n}`, n % 2 ? me : second))));
    expect(asked.filter((code) => code === "OK").length).toBe(10);
    expect(asked.filter((code) => code === "GEN_TOO_FREQUENT").length).toBe(6);
    const outcome = '{"requestId":"00000000-0000-4000-8000-000000000000"}';
    expect([await codeOf("askOutcome", me, outcome), await codeOf("askOutcome", other, outcome)]).toEqual(["GEN_TOO_FREQUENT", "OK"]);
    expect(await codeOf("lockTrading", me, '{"hours":0}')).toBe("VAL_HOURS_RANGE");
  });

  it("of one address are limited, the addresses of an IPv6 /64 as one, and other addresses are not affected", async () => {
    const ask = async (address: string): Promise<string> => codeOf("readConfig", from(address), '{"type":"all"}');
    for (const addressOf of [() => "198.51.100.77", (n: number) => `2001:db8:1:2::${n}`]) {
      const asked = await Promise.all(Array.from({ length: PER_ADDRESS + 5 }, (_, n) => ask(addressOf(n))));
      expect(asked.filter((code) => code === "OK").length).toBe(PER_ADDRESS);
      expect(asked.filter((code) => code === "GEN_TOO_FREQUENT").length).toBe(5);
    }
    expect([await ask("198.51.100.78"), await ask("2001:db8:1:3::1")]).toEqual(["OK", "OK"]);
  });

  it("of an IPv6 /48 are limited too, with the allowance of many addresses", async () => {
    const rate = new AddressRate({ points: 2, seconds: LONG });
    const asked: boolean[] = [];
    const ask = (address: string): Promise<boolean> =>
      rate.consume(addressKey(address)).then(
        () => true,
        () => false,
      );
    for (let n = 0; n <= SITE_ALLOWANCE; n += 1)
      asked.push(await ask(`2001:db8:5:${n.toString(16)}::1`), await ask(`2001:db8:5:${n.toString(16)}::2`));
    expect(asked.indexOf(false)).toBe(2 * SITE_ALLOWANCE);
    expect(await rate.spent(addressKey("2001:db8:5:ffff::1"))).toBe(true);
    expect([await ask("2001:db8:6::1"), await ask("198.51.100.1")]).toEqual([true, true]);
    const sockets = new AddressCount(1);
    for (let n = 0; n < SITE_ALLOWANCE; n += 1) {
      const key = addressKey(`2001:db8:7:${n.toString(16)}::1`);
      expect(sockets.hasRoom(key)).toBe(true);
      sockets.add(key, 1);
    }
    expect([sockets.hasRoom(addressKey("2001:db8:7:ffff::1")), sockets.hasRoom(addressKey("2001:db8:8::1"))]).toEqual([false, true]);
    sockets.add(addressKey("2001:db8:7::1"), -1);
    expect(sockets.hasRoom(addressKey("2001:db8:7:ffff::1"))).toBe(true);
  });

  it("of one member run a few at a time, others queue in order, and the excess is refused", async () => {
    const gate = new Gate({ atOnce: 2, waiting: 3, refusal: "GEN_TOO_FREQUENT" });
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const work = (n: number) => () => {
      begun.push(n);
      return new Promise<number>((done) => void ends.push(() => done(n)));
    };
    const asked = [0, 1, 2, 3, 4].map((n) => gate.run("a", work(n)));
    await expect(gate.run("a", work(5))).rejects.toEqual(new Refusal("GEN_TOO_FREQUENT"));
    const elsewhere = gate.run("b", work(6));
    expect(begun).toEqual([0, 1, 6]);
    const extra = gate.run("a", work(7), 1);
    for (let at = 0; at < 7; at += 1) {
      await expect.poll(() => ends.length).toBeGreaterThan(at);
      ends[at]?.();
    }
    expect(await Promise.all([...asked, elsewhere, extra])).toEqual([0, 1, 2, 3, 4, 6, 7]);
    expect(begun).toEqual([0, 1, 6, 2, 3, 4, 7]);
  });

  it("with invalid tokens are eventually refused without a lookup", async () => {
    const stranger = from("203.0.113.9", { token: "x".repeat(43), account: "KS100001" });
    const answers: number[] = [];
    for (let n = 0; n < 6; n += 1) answers.push((await server.post("placeOrder", "{}", stranger)).http);
    expect(answers).toEqual([401, 401, 401, 401, 401, 200]);
    expect((await server.post("placeOrder", "{}", from("203.0.113.8", stranger))).http).toBe(401);
    // A member behind the same address is not locked out by them.
    expect(await codeOf("lockTrading", from("203.0.113.9", me), '{"hours":0}')).toBe("VAL_HOURS_RANGE");
  });

  it("have finite default limits", () => {
    const { readsPerMember, readsPerAddress, unknownTokensPerAddress, ...plain } = LIMITS;
    const all = [readsPerMember, readsPerAddress, unknownTokensPerAddress].flatMap(({ points, seconds }) => [points, seconds]);
    for (const limit of [...all, ...Object.values(plain)]) expect(Number.isFinite(limit) && limit > 0).toBe(true);
  });
});

describe("the OpenAPI document", () => {
  const ask = (address: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${BASE_PATH}/openapi.json`, { headers: { "x-forwarded-for": address, ...headers } });

  it("is compressed, and answered with 304 when the caller has it", async () => {
    const plain = await ask("198.51.100.90", { "accept-encoding": "identity" });
    const text = await plain.text();
    expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.0" });
    for (const encoding of ["gzip", "br"]) {
      const packed = await ask("198.51.100.90", { "accept-encoding": encoding });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(await packed.text()).toBe(text);
    }
    const again = await ask("198.51.100.90", { "if-none-match": plain.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("counts as a read of its address", async () => {
    const asked = await Promise.all(Array.from({ length: PER_ADDRESS + 5 }, () => ask("198.51.100.91")));
    expect(asked.filter(({ status }) => status === 200).length).toBe(PER_ADDRESS);
    const refused = asked.filter(({ status }) => status === 429);
    expect(refused.length).toBe(5);
    expect(await refused[0]?.json()).toMatchObject({ status: 0, code: "GEN_TOO_FREQUENT" });
  });
});

describe("the list of instruments", () => {
  const ask = async (headers: Record<string, string>) => {
    const { token } = await server.enter("unverified");
    const path = server.url + BASE_PATH + endpoints.listInstruments.path;
    return fetch(path, { method: "POST", body: "{}", headers: { token, account: other.account, ...headers } });
  };

  it("is compressed in an accepted encoding, and answered with 304 when the caller has it", async () => {
    const plain = await ask({ "accept-encoding": "identity" });
    const text = await plain.text();
    const etag = plain.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect((JSON.parse(text) as { data: { instruments: unknown[] } }).data.instruments.length).toBe(server.venue.instruments.length);
    for (const encoding of ["gzip", "br"]) {
      const packed = await ask({ "accept-encoding": encoding });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(await packed.text()).toBe(text);
    }
    const again = await ask({ "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await ask({ "if-none-match": '"another"' })).status).toBe(200);
  });

  it("is the same object until the venue changes", async () => {
    const venue = stubVenue(5);
    const call = { address: "", caller: { memberId: 1, account: me.account as never, sessionHash: "" } };
    let phase = venue.state(0);
    const changing = { ...venue, instruments: [...venue.instruments], state: () => phase };
    const handlers = instrumentHandlers({ venue: changing });
    const first = await handlers.listInstruments(call, {});
    expect(await handlers.listInstruments(call, {})).toBe(first);
    phase = { ...phase, phase: "closed" };
    const second = await handlers.listInstruments(call, {});
    expect(second.venue.phase).toBe("closed");
    changing.instruments.pop();
    const third = await handlers.listInstruments(call, {});
    expect([second.instruments.length, third.instruments.length]).toEqual([5, 4]);
  });
});

/** A raw request, and everything received until the server closes the connection. */
function raw(head: string[], body: (socket: Socket) => void): Promise<string> {
  return new Promise((done) => {
    const socket = connect(server.port, "127.0.0.1");
    const received: string[] = [];
    socket.on("data", (part) => void received.push(String(part)));
    socket.on("error", () => undefined);
    socket.on("close", () => done(received.join("")));
    socket.write(`${head.join("\r\n")}\r\nhost: x\r\n\r\n`);
    body(socket);
  });
}

describe("a body", () => {
  const post = `POST ${BASE_PATH}${endpoints.readConfig.path} HTTP/1.1`;

  it("with a too large content length is refused before it is sent", async () => {
    const answer = await raw([post, "content-length: 70000"], () => undefined);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*"code":"GEN_PARAM_ERROR"/);
  });

  it("that never ends is refused at the limit, and its connection closed", async () => {
    let sent = 0;
    const answer = await raw([post, "transfer-encoding: chunked"], (socket) => {
      const chunk = `8000\r\n${" ".repeat(0x80_00)}\r\n`;
      const more = (): void => {
        if (!socket.writable) return;
        sent += 0x80_00;
        socket.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*"code":"GEN_PARAM_ERROR"/);
    expect(sent).toBeGreaterThan(64 * 1024);
  });

  it("shorter than its content length is aborted; the excess of a longer one is an invalid next request", async () => {
    expect(await raw([post, "content-length: 100"], (socket) => socket.write('{"type"'))).toContain("408 Request Timeout");
    const longer = await raw([post, "content-length: 14"], (socket) => socket.end('{"type":"all"} and more of it'));
    expect(longer).toContain("400 Bad Request");
    expect(await raw([post, "content-length: 10", "content-length: 14"], () => undefined)).toContain("400 Bad Request");
    expect(await raw([post, "content-length: 14", "transfer-encoding: chunked"], () => undefined)).toContain("400 Bad Request");
  });

  it("in chunks is read completely, also characters split across chunks", async () => {
    const text = Buffer.from('{"idNumber":"A123456789","password":"密碼","guaranteeCode":"0"}');
    const sent = await raw(
      [`POST ${BASE_PATH}${endpoints.signIn.path} HTTP/1.1`, "transfer-encoding: chunked", "connection: close"],
      (socket) => {
        for (const byte of text) {
          socket.write("1\r\n");
          socket.write(Buffer.from([byte]));
          socket.write("\r\n");
        }
        socket.write("0\r\n\r\n");
      },
    );
    expect(sent).toContain("ACC_BAD_CREDENTIALS");
  });

  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  it.each([
    ["no JSON", "<xml/>"],
    ["no UTF-8", "\uFFFD"],
    ["half of it", '{"hours":'],
    ["null", "null"],
    ["a number", "7"],
    ["a list", "[]"],
    ["lists in lists", nested],
    ["objects in objects", `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`],
    ["a field that is deep", `{"code":${nested}}`],
    ["a prototype", '{"__proto__":{"code":"2330"}}'],
    ["a constructor", '{"constructor":{"prototype":{"code":"2330"}}}'],
    ["a number beyond all", '{"code":1e999}'],
    ["a lone surrogate", '{"code":"\\ud800"}'],
  ])("with %s is refused with a text of the catalogue that reveals nothing about the server", async (_name, body) => {
    for (const name of ["readCandles", "placeOrder", "addWatch"] as const) {
      const { http, reply } = await server.post(name, body, { ...(await server.enter("unverified")) });
      expect(http).toBe(200);
      expect(reply).toMatchObject({ status: 0, data: null });
      expect(["GEN_PARAM_ERROR", "VAL_STOCK_CODE_REQUIRED", "GEN_TOO_FREQUENT"]).toContain(reply.status === 0 ? reply.code : "OK");
      expect(JSON.stringify(reply)).not.toMatch(/node_modules|\.ts:|at \w+ \(|Error/);
    }
    expect(({} as Record<string, unknown>)["code"]).toBeUndefined();
  });

  it.each(["/api/vue/%ff", "/api/vue/session/%00", "/api/../api/x", "/api/vue/session/sign-in/", "/api/%2e%2e/%2e%2e"])(
    "to %s is not found, without details",
    async (path) => {
      const answer = await raw([`POST ${path} HTTP/1.1`, "content-length: 2", "connection: close"], (socket) => socket.write("{}"));
      expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400)/);
      expect(answer).not.toMatch(/node_modules|\.ts:|at \w+ \(/);
    },
  );
});

describe("connections", () => {
  const get = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
  const opened: Socket[] = [];
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });
  const open = (port: number): { socket: Socket; received: () => string; closed: Promise<unknown> } => {
    const socket = connect(port, "127.0.0.1");
    opened.push(socket);
    let text = "";
    socket.on("data", (part) => (text += String(part)));
    socket.on("error", () => undefined);
    return { socket, received: () => text, closed: new Promise((done) => void socket.once("close", done)) };
  };
  const answers = (received: string): number => received.split("HTTP/1.1 200").length - 1;

  it("accept one request after the other; one that sends the next request before the reply is closed", async () => {
    const polite = open(server.port);
    for (let n = 1; n <= 3; n += 1) {
      polite.socket.write(get);
      await expect.poll(() => answers(polite.received())).toBe(n);
    }
    const post = `POST ${BASE_PATH}${endpoints.placeOrder.path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`;
    for (const request of [get, post]) {
      const hasty = open(server.port);
      hasty.socket.write(request.repeat(50));
      await hasty.closed;
      expect(hasty.received().split("HTTP/1.1 ").length - 1).toBeLessThan(10);
    }
    polite.socket.write(get);
    await expect.poll(() => answers(polite.received())).toBe(4);
  });

  it("are limited per address; a closed one frees a place, and those of a trusted proxy are not counted", async () => {
    const bound = async (trust: AddressOf): Promise<{ port: number; close: () => void }> => {
      const http = createServer((_request, response) => response.end("served"));
      capConnections(http, 2, { addressOf: trust, isForwarded: ({ headers }) => headers["x-follower"] === "1", refused: () => undefined });
      await new Promise<void>((done) => void http.listen(0, "127.0.0.1", done));
      return { port: (http.address() as AddressInfo).port, close: () => void http.close() };
    };
    const served = ({ socket, received, closed }: ReturnType<typeof open>, request = get): Promise<boolean> => {
      socket.write(request);
      return Promise.race([closed.then(() => false), vi.waitFor(() => expect(received()).toContain("served")).then(() => true)]);
    };
    const own = await bound(addressFinder(0));
    const [first, second] = [open(own.port), open(own.port)];
    expect([await served(first), await served(second), await served(open(own.port))]).toEqual([true, true, false]);
    first.socket.destroy();
    await expect.poll(() => served(open(own.port))).toBe(true);
    own.close();
    const leader = await bound(addressFinder(0));
    const forwarded = get.replace("\r\n", "\r\nX-Follower: 1\r\n");
    for (let nth = 0; nth < 5; nth += 1) expect(await served(open(leader.port), forwarded)).toBe(true);
    for (const isServed of [true, true, false]) expect(await served(open(leader.port))).toBe(isServed);
    leader.close();
    const proxied = await bound(addressFinder(1));
    expect(await Promise.all(Array.from({ length: 5 }, () => served(open(proxied.port))))).toEqual(Array.from({ length: 5 }, () => true));
    proxied.close();
  });
});
