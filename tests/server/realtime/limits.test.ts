/** Tests the limits of the socket server: clients that do not read, flood, or open too many sockets do not affect others. */
import { connect as connectTcp } from "node:net";
import type { Socket as TcpSocket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Fact } from "#contract/fact.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { openSocketServer } from "./socket-client.ts";
import type { TestSocketServer } from "./socket-client.ts";

const ROWS = 2_400;
const UNSENT = 512 * 1024;
const ALL: View = { rows: [], ranks: [], channels: {}, beatMs: 100, all: true };

let open: TestSocketServer | undefined;
const raw: { destroy(): void }[] = [];

afterEach(async () => {
  for (const socket of raw.splice(0)) socket.destroy();
  await open?.close();
  open = undefined;
});

const connections = ({ server }: TestSocketServer): Promise<number> =>
  new Promise((done, fail) => server.getConnections((error, count) => (error ? fail(error) : done(count))));

/** A WebSocket that stops reading after authentication and requests `all` views until it is disconnected. */
async function nonReadingSocket({ port }: TestSocketServer, member: number): Promise<{ cut: Promise<void> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
  raw.push({ destroy: () => socket.terminate() });
  const auth = { token: `member-${member}`, account: String(member) };
  socket.on("error", () => undefined);
  await new Promise<void>((done) => {
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith("0{")) socket.send(`40${JSON.stringify(auth)}`);
      else if (text.startsWith("40{")) done();
    });
  });
  socket.pause();
  let n = 0;
  const asking = setInterval(
    () => socket.readyState === WebSocket.OPEN && socket.send(`42${(n += 1)}${JSON.stringify(["view", ALL])}`),
    50,
  );
  // A paused reader gets no close event; the end shows up as failing writes.
  return { cut: new Promise<void>((done) => void socket.once("close", () => done())).finally(() => clearInterval(asking)) };
}

/** One HTTP exchange on a separate connection, as text; with `read` false the answer is not read. */
function exchange(port: number, head: string, body = "", read = true): { socket: TcpSocket; answer: Promise<string> } {
  const socket = connectTcp(port, "127.0.0.1");
  raw.push(socket);
  socket.on("error", () => undefined);
  const length = body === "" ? "" : `content-length: ${Buffer.byteLength(body)}\r\ncontent-type: text/plain\r\n`;
  socket.write(`${head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${length}\r\n${body}`);
  if (!read) {
    socket.pause();
    return { socket, answer: Promise.resolve("") };
  }
  const parts: string[] = [];
  socket.on("data", (part) => void parts.push(String(part)));
  return { socket, answer: new Promise((done) => void socket.once("close", () => done(parts.join("")))) };
}

describe("a client that does not read", () => {
  it("is disconnected at the unsent-bytes limit, while another client's batches go on without a gap", { timeout: 60_000 }, async () => {
    const server = (open = await openSocketServer(ROWS, { unsentBytes: UNSENT, socketsPerSession: 20 }));
    const healthy = await server.connect({ token: "member-2", account: "2" });
    await healthy.show({ rows: [1, 2, 3] });
    const nonReading = await Promise.all(Array.from({ length: 20 }, () => nonReadingSocket(server, 1)));
    const moving = setInterval(() => server.venue.move(Array.from({ length: ROWS }, (_, row) => row)), 50);
    await Promise.race([
      Promise.all(nonReading.map(({ cut }) => cut)),
      expect.poll(() => connections(server), { timeout: 50_000 }).toBe(1),
    ]);
    clearInterval(moving);
    await expect.poll(() => connections(server)).toBe(1);
    const counted = healthy.batches.map(([n]) => n);
    expect(counted.length).toBeGreaterThan(3);
    expect(counted).toEqual(counted.map((_, at) => at + 1));
    expect(healthy.socket.connected).toBe(true);
  });

  it("is disconnected over polling too, when it polls again without having read", { timeout: 60_000 }, async () => {
    const server = (open = await openSocketServer(ROWS, { unsentBytes: 64 * 1024 * 1024 }));
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    const sid = /"sid":"([^"]+)"/.exec(await exchange(server.port, `GET ${path}`).answer)?.[1] ?? "";
    expect(sid).not.toBe("");
    const post = (body: string) => exchange(server.port, `POST ${path}&sid=${sid}`, body).answer;
    expect(await post('40{"token":"member-1","account":"1"}')).toContain("200 OK");
    // More than the connection's buffers hold: the first poll's answer cannot be flushed before the next poll arrives.
    server.socketServer.publishFact(1, { n: 1, at: 0, kind: "order.filled", data: "x".repeat(16 * 1024 * 1024) } as unknown as Fact);
    for (let left = 2; left > 0; left -= 1) exchange(server.port, `GET ${path}&sid=${sid}`, "", false);
    await expect.poll(() => connections(server)).toBe(0);
    expect(await post("3")).toContain("Session ID unknown");
  });

  it("that floods with packets is disconnected", async () => {
    const server = (open = await openSocketServer(10, { packetsPerSecond: 20 }));
    const { socket } = await server.connect();
    const gone = new Promise<string>((done) => void socket.on("disconnect", done));
    for (let left = 100; left > 0; left -= 1) socket.emit("view", ALL, () => undefined);
    expect(await gone).toMatch(/transport/);
  });
});

describe("sockets", () => {
  const as = (member: number, transports?: string[]) => [{ token: `member-${member}`, account: String(member) }, transports] as const;

  it.each([["websocket"], ["polling"]])("of one session are limited over %s, and a closed one frees its place", async (transport) => {
    const server = (open = await openSocketServer(10, { socketsPerSession: 2 }));
    const [first] = [await server.connect(...as(1, [transport])), await server.connect(...as(1, [transport]))];
    await expect(server.connect(...as(1, [transport]))).rejects.toThrow("GEN_TOO_FREQUENT");
    await server.connect(...as(2, [transport]));
    first.socket.disconnect();
    await expect
      .poll(() =>
        server.connect(...as(1, [transport])).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect(server.connect(...as(1, [transport]))).rejects.toThrow("GEN_TOO_FREQUENT");
  });

  it("of one member are limited over all sessions", async () => {
    const server = (open = await openSocketServer(10, { socketsPerSession: 5, socketsPerMember: 1 }));
    await server.connect(...as(1));
    await expect(server.connect(...as(1))).rejects.toThrow("GEN_TOO_FREQUENT");
    await server.connect(...as(2));
  });

  it("of one address are limited before authentication, also when many open at once", async () => {
    const server = (open = await openSocketServer(10, { socketsPerAddress: 5 }));
    const opened: WebSocket[] = [];
    await Promise.all(
      Array.from({ length: 30 }, () => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
        raw.push({ destroy: () => socket.terminate() });
        socket.on("error", () => undefined);
        return new Promise<void>((done) => {
          socket.once("message", () => void opened.push(socket));
          socket.once("message", () => done());
          socket.once("close", () => done());
        });
      }),
    );
    await expect.poll(() => opened.filter(({ readyState }) => readyState === WebSocket.OPEN).length).toBe(5);
    await expect(server.connect()).rejects.toThrow();
    opened.find(({ readyState }) => readyState === WebSocket.OPEN)?.close();
    await expect
      .poll(() =>
        server.connect().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("of one address are limited even when they arrive in one packet", async () => {
    const server = (open = await openSocketServer(10, { socketsPerAddress: 5 }));
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    const socket = connectTcp(server.port, "127.0.0.1");
    raw.push(socket);
    let received = "";
    socket.on("data", (part) => (received += String(part)));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(12));
    await expect.poll(() => received.split("HTTP/1.1 ").length - 1).toBe(12);
    const sids = [...received.matchAll(/"sid":"([^"]+)"/g)].map(([, sid]) => sid ?? "");
    const answers = await Promise.all(sids.map((sid) => exchange(server.port, `POST ${path}&sid=${sid}`, "3").answer));
    expect(answers.filter((answer) => answer.includes("200 OK")).length).toBe(5);
  });

  it("behind a trusted proxy are limited by the forwarded address, otherwise by the connection's", async () => {
    const status = ({ port }: TestSocketServer, from: string): Promise<string> =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=websocket`, {
          headers: { "x-forwarded-for": from },
        });
        raw.push({ destroy: () => socket.terminate() });
        socket.on("error", () => done("refused"));
        socket.once("message", () => done("open"));
      });
    open = await openSocketServer(10, { socketsPerAddress: 1 }, 1);
    expect([await status(open, "198.51.100.1"), await status(open, "198.51.100.1"), await status(open, "198.51.100.2")]).toEqual([
      "open",
      "refused",
      "open",
    ]);
    await open.close();
    open = await openSocketServer(10, { socketsPerAddress: 1 });
    expect([await status(open, "198.51.100.1"), await status(open, "198.51.100.2")]).toEqual(["open", "refused"]);
  });

  it("carry one token per connection: a second token closes it without a lookup", async () => {
    const door = (open = await openSocketServer(10));
    const socket = new WebSocket(`ws://127.0.0.1:${door.port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
    raw.push({ destroy: () => socket.terminate() });
    socket.once("message", () => {
      for (let n = 0; n < 50; n += 1) socket.send(`40${JSON.stringify({ token: `nobody-${n}`, account: "1" })}`);
    });
    await new Promise((done) => void socket.once("close", done));
    expect(door.lookups()).toBe(1);
  });

  it("of an address that guesses tokens get no lookups for a while; other addresses are not affected", async () => {
    const door = (open = await openSocketServer(10, { unknownTokensPerAddress: { points: 3, seconds: 600 } }, 1));
    const answerTo = (token: string, from: string): Promise<string> =>
      new Promise((done) => {
        const headers = { "x-forwarded-for": from };
        const socket = new WebSocket(`ws://127.0.0.1:${door.port}${SOCKET_PATH}/?EIO=4&transport=websocket`, { headers });
        raw.push({ destroy: () => socket.terminate() });
        socket.on("message", (data: Buffer) => {
          const text = data.toString();
          if (text.startsWith("0{")) socket.send(`40${JSON.stringify({ token, account: "1" })}`);
          else if (text.startsWith("4")) done(/"message":"(\w+)"/.exec(text)?.[1] ?? "welcome");
        });
      });
    const received: string[] = [];
    for (let n = 0; n < 5; n += 1) received.push(await answerTo(`nobody-${n}`, "198.51.100.1"));
    expect(received).toEqual([...Array.from({ length: 3 }, () => "ACC_SESSION_EXPIRED"), "GEN_TOO_FREQUENT", "GEN_TOO_FREQUENT"]);
    expect(door.lookups()).toBe(3);
    expect(await answerTo("member-1", "198.51.100.2")).toBe("welcome");
    // A session in memory can still connect from the first address.
    expect(await answerTo("member-1", "198.51.100.1")).toBe("welcome");
  });
});
