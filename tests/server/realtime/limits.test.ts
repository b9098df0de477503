/** What one client can do to the socket server: not read, ask without end, open too many; the others notice nothing. */
import { connect as connectTcp } from "node:net";
import type { Socket as TcpSocket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Fact } from "#contract/fact.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { openDoor } from "./socket-client.ts";
import type { OpenDoor } from "./socket-client.ts";

const ROWS = 2_400;
const UNSENT = 512 * 1024;
const ALL: View = { rows: [], ranks: [], depth: null, tape: null, index: null, heat: false, beatMs: 100, all: true };

let open: OpenDoor | undefined;
const raw: { destroy(): void }[] = [];

afterEach(async () => {
  for (const socket of raw.splice(0)) socket.destroy();
  await open?.close();
  open = undefined;
});

const connections = ({ server }: OpenDoor): Promise<number> =>
  new Promise((done, fail) => server.getConnections((error, count) => (error ? fail(error) : done(count))));

/** A web socket that stops reading once it is let in, and asks for everything until it is cut. */
async function deafSocket({ port }: OpenDoor, member: number): Promise<{ cut: Promise<void> }> {
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
  // A paused reader is not told of the end: it is found out by what can no longer be written.
  return { cut: new Promise<void>((done) => void socket.once("close", () => done())).finally(() => clearInterval(asking)) };
}

/** One HTTP exchange over a connection of its own, as text; `read` false leaves the answer where it is. */
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
  it("is cut when too much waits for it, while another's beat goes on without a gap", { timeout: 60_000 }, async () => {
    const door = (open = await openDoor(ROWS, { unsentBytes: UNSENT, socketsPerSession: 20 }));
    const healthy = await door.connect({ token: "member-2", account: "2" });
    await healthy.show({ rows: [1, 2, 3] });
    const deaf = await Promise.all(Array.from({ length: 20 }, () => deafSocket(door, 1)));
    const moving = setInterval(() => door.venue.move(Array.from({ length: ROWS }, (_, row) => row)), 50);
    await Promise.race([Promise.all(deaf.map(({ cut }) => cut)), expect.poll(() => connections(door), { timeout: 50_000 }).toBe(1)]);
    clearInterval(moving);
    await expect.poll(() => connections(door)).toBe(1);
    const counted = healthy.batches.map(([n]) => n);
    expect(counted.length).toBeGreaterThan(3);
    expect(counted).toEqual(counted.map((_, at) => at + 1));
    expect(healthy.socket.connected).toBe(true);
  });

  it("is cut by polling too, when it asks again without having read", { timeout: 60_000 }, async () => {
    const door = (open = await openDoor(ROWS, { unsentBytes: 64 * 1024 * 1024 }));
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    const sid = /"sid":"([^"]+)"/.exec(await exchange(door.port, `GET ${path}`).answer)?.[1] ?? "";
    expect(sid).not.toBe("");
    const post = (body: string) => exchange(door.port, `POST ${path}&sid=${sid}`, body).answer;
    expect(await post('40{"token":"member-1","account":"1"}')).toContain("200 OK");
    // More than the buffers of a connection hold: the answer to the first poll cannot leave, and then comes the next.
    door.door.publishFact(1, { n: 1, at: 0, kind: "order.filled", data: "x".repeat(16 * 1024 * 1024) } as unknown as Fact);
    for (let left = 2; left > 0; left -= 1) exchange(door.port, `GET ${path}&sid=${sid}`, "", false);
    await expect.poll(() => connections(door)).toBe(0);
    expect(await post("3")).toContain("Session ID unknown");
  });

  it("that floods with packets is cut", async () => {
    const door = (open = await openDoor(10, { packetsPerSecond: 20 }));
    const { socket } = await door.connect();
    const gone = new Promise<string>((done) => void socket.on("disconnect", done));
    for (let left = 100; left > 0; left -= 1) socket.emit("view", ALL, () => undefined);
    expect(await gone).toMatch(/transport/);
  });
});

describe("sockets", () => {
  const as = (member: number, transports?: string[]) => [{ token: `member-${member}`, account: String(member) }, transports] as const;

  it.each([["websocket"], ["polling"]])("of one session are counted over %s, and one that ends makes room", async (transport) => {
    const door = (open = await openDoor(10, { socketsPerSession: 2 }));
    const [first] = [await door.connect(...as(1, [transport])), await door.connect(...as(1, [transport]))];
    await expect(door.connect(...as(1, [transport]))).rejects.toThrow("GEN_TOO_FREQUENT");
    await door.connect(...as(2, [transport]));
    first.socket.disconnect();
    await expect
      .poll(() =>
        door.connect(...as(1, [transport])).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect(door.connect(...as(1, [transport]))).rejects.toThrow("GEN_TOO_FREQUENT");
  });

  it("of one member are counted over all sessions", async () => {
    const door = (open = await openDoor(10, { socketsPerSession: 5, socketsPerMember: 1 }));
    await door.connect(...as(1));
    await expect(door.connect(...as(1))).rejects.toThrow("GEN_TOO_FREQUENT");
    await door.connect(...as(2));
  });

  it("of one address are counted before anybody says who they are, many at once as well", async () => {
    const door = (open = await openDoor(10, { socketsPerAddress: 5 }));
    const opened: WebSocket[] = [];
    await Promise.all(
      Array.from({ length: 30 }, () => {
        const socket = new WebSocket(`ws://127.0.0.1:${door.port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
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
    await expect(door.connect()).rejects.toThrow();
    opened.find(({ readyState }) => readyState === WebSocket.OPEN)?.close();
    await expect
      .poll(() =>
        door.connect().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("of one address are counted although they come in one packet", async () => {
    const door = (open = await openDoor(10, { socketsPerAddress: 5 }));
    const path = `${SOCKET_PATH}/?EIO=4&transport=polling`;
    const socket = connectTcp(door.port, "127.0.0.1");
    raw.push(socket);
    let heard = "";
    socket.on("data", (part) => (heard += String(part)));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(12));
    await expect.poll(() => heard.split("HTTP/1.1 ").length - 1).toBe(12);
    const sids = [...heard.matchAll(/"sid":"([^"]+)"/g)].map(([, sid]) => sid ?? "");
    const answers = await Promise.all(sids.map((sid) => exchange(door.port, `POST ${path}&sid=${sid}`, "3").answer));
    expect(answers.filter((answer) => answer.includes("200 OK")).length).toBe(5);
  });

  it("behind a trusted proxy are counted by the address it forwards, and by the connection's where none is trusted", async () => {
    const status = ({ port }: OpenDoor, from: string): Promise<string> =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=websocket`, {
          headers: { "x-forwarded-for": from },
        });
        raw.push({ destroy: () => socket.terminate() });
        socket.on("error", () => done("refused"));
        socket.once("message", () => done("open"));
      });
    open = await openDoor(10, { socketsPerAddress: 1 }, 1);
    expect([await status(open, "198.51.100.1"), await status(open, "198.51.100.1"), await status(open, "198.51.100.2")]).toEqual([
      "open",
      "refused",
      "open",
    ]);
    await open.close();
    open = await openDoor(10, { socketsPerAddress: 1 });
    expect([await status(open, "198.51.100.1"), await status(open, "198.51.100.2")]).toEqual(["open", "refused"]);
  });

  it("send one token on a connection: a second one closes it and is not looked up", async () => {
    const door = (open = await openDoor(10));
    const socket = new WebSocket(`ws://127.0.0.1:${door.port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
    raw.push({ destroy: () => socket.terminate() });
    socket.once("message", () => {
      for (let n = 0; n < 50; n += 1) socket.send(`40${JSON.stringify({ token: `nobody-${n}`, account: "1" })}`);
    });
    await new Promise((done) => void socket.once("close", done));
    expect(door.lookups()).toBe(1);
  });

  it("of an address whose tokens open nothing are looked up no more for a while; those of another address are", async () => {
    const door = (open = await openDoor(10, { strangersPerAddress: { points: 3, seconds: 600 } }, 1));
    const answerTo = (token: string, from: string): Promise<string> =>
      new Promise((done) => {
        const headers = { "x-forwarded-for": from };
        const socket = new WebSocket(`ws://127.0.0.1:${door.port}${SOCKET_PATH}/?EIO=4&transport=websocket`, { headers });
        raw.push({ destroy: () => socket.terminate() });
        socket.on("message", (data: Buffer) => {
          const text = data.toString();
          if (text.startsWith("0{")) socket.send(`40${JSON.stringify({ token, account: "1" })}`);
          else if (text.startsWith("4")) done(/[A-Z]+(?:_[A-Z]+)+/.exec(text)?.[0] ?? "welcome");
        });
      });
    const heard: string[] = [];
    for (let n = 0; n < 5; n += 1) heard.push(await answerTo(`nobody-${n}`, "198.51.100.1"));
    expect(heard).toEqual([...Array.from({ length: 3 }, () => "ACC_SESSION_EXPIRED"), "GEN_TOO_FREQUENT", "GEN_TOO_FREQUENT"]);
    expect(door.lookups()).toBe(3);
    expect(await answerTo("member-1", "198.51.100.2")).toBe("welcome");
  });
});
