/** Control socket: sends operator commands to the server that holds the embedded database, which only one process can open. */
import { createConnection, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";

/** A command, and the user of the operating system who gives it: the socket lets in nobody but its owner and the administrator. */
const ControlRequest = z.object({ words: z.array(z.string()), who: z.string().check(z.minLength(1), z.maxLength(64)) });
export type ControlRequest = z.infer<typeof ControlRequest>;

/** Runs a command; `say` receives each line to print. @returns the exit code */
export type RunCommand = (request: ControlRequest, say: (line: string) => void) => Promise<number>;

const ControlResponse = z.union([z.object({ say: z.string() }), z.object({ exit: z.int() })]);

/** Address of the control socket: in the data folder, readable by its owner only; on Windows a named pipe. */
function addressOf(dataDir: string): string {
  if (process.platform === "win32")
    return `\\\\.\\pipe\\kuroshio-${createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 16)}`;
  const whole = join(resolve(dataDir), "control.sock");
  // Socket paths have a short maximum length.
  const short = relative(process.cwd(), whole);
  return short.length < whole.length ? short : whole;
}

async function serve(socket: Socket, runCommand: RunCommand): Promise<void> {
  const reply = (message: z.infer<typeof ControlResponse>): void => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on("error", () => undefined);
  for await (const line of createInterface({ input: socket })) {
    const request = ControlRequest.safeParse(JSON.parse(line));
    if (!request.success) break;
    reply({ exit: await runCommand(request.data, (line) => reply({ say: line })) });
  }
  socket.end();
}

/** Listens for commands. This process holds the folder's lock, so an existing socket file is stale. @returns a function that stops it */
export async function serveControl(dataDir: string, runCommand: RunCommand): Promise<() => Promise<void>> {
  const address = addressOf(dataDir);
  if (process.platform !== "win32") rmSync(address, { force: true });
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serve(socket, runCommand).catch(() => socket.destroy());
  });
  server.listen(address);
  await once(server, "listening");
  if (process.platform !== "win32") chmodSync(address, 0o600);
  return async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
  };
}

/** Sends a command to the running server. @returns the exit code; null when no server is listening */
export async function askControl(dataDir: string, request: ControlRequest, say: (line: string) => void): Promise<number | null> {
  const socket = createConnection(addressOf(dataDir));
  try {
    await once(socket, "connect");
  } catch {
    return null;
  }
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const line of createInterface({ input: socket })) {
    const response = ControlResponse.parse(JSON.parse(line));
    if ("say" in response) say(response.say);
    else {
      socket.end();
      return response.exit;
    }
  }
  throw new Error("the server stopped before the command finished");
}
