/** Commands for the server that has the embedded database open: it takes one process, so the server carries them out itself. */
import { createConnection, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";

/** Carries out a command. `say` is told what to print. @returns the exit code */
export type Carry = (words: readonly string[], say: (line: string) => void) => Promise<number>;

const Asked = z.object({ words: z.array(z.string()) });
const Said = z.union([z.object({ say: z.string() }), z.object({ exit: z.int() })]);

/** Where the server listens: a socket in its data folder, which only who may read the data may open; on Windows a named pipe. */
function addressOf(dataDir: string): string {
  if (process.platform === "win32")
    return `\\\\.\\pipe\\kuroshio-${createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 16)}`;
  const whole = join(resolve(dataDir), "control.sock");
  // The path of a socket may not be long.
  const short = relative(process.cwd(), whole);
  return short.length < whole.length ? short : whole;
}

async function serve(socket: Socket, carry: Carry): Promise<void> {
  const tell = (message: z.infer<typeof Said>): void => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on("error", () => undefined);
  for await (const line of createInterface({ input: socket })) {
    const asked = Asked.safeParse(JSON.parse(line));
    if (!asked.success) break;
    tell({ exit: await carry(asked.data.words, (said) => tell({ say: said })) });
  }
  socket.end();
}

/** Listen for commands. The folder is locked by this process: a socket that lies there is a dead server's. @returns how to stop */
export async function serveControl(dataDir: string, carry: Carry): Promise<() => Promise<void>> {
  const address = addressOf(dataDir);
  if (process.platform !== "win32") rmSync(address, { force: true });
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serve(socket, carry).catch(() => socket.destroy());
  });
  server.listen(address);
  await once(server, "listening");
  if (process.platform !== "win32") chmodSync(address, 0o600);
  return async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
  };
}

/** Have the running server carry out a command. @returns the exit code; null when no server listens there */
export async function askControl(dataDir: string, words: readonly string[], say: (line: string) => void): Promise<number | null> {
  const socket = createConnection(addressOf(dataDir));
  try {
    await once(socket, "connect");
  } catch {
    return null;
  }
  socket.write(`${JSON.stringify({ words })}\n`);
  for await (const line of createInterface({ input: socket })) {
    const said = Said.parse(JSON.parse(line));
    if ("say" in said) say(said.say);
    else {
      socket.end();
      return said.exit;
    }
  }
  throw new Error("the server ended before the command was done");
}
