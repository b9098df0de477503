/** Commands on their way, kept in IndexedDB before they are sent, so that a reload cannot forget what may have been done. */
import "./schema.ts";
import * as z from "zod/mini";

/** One command whose outcome is not known yet. */
export const PendingCommand = z.object({
  requestId: z.string(),
  /** The endpoint it goes to. */
  name: z.string(),
  body: z.unknown(),
  /** Whose command it is: another member of this device must not see it. */
  account: z.string(),
  at: z.number(),
  /** The member let it be, but the desk has not heard so yet. */
  givenUp: z.optional(z.boolean()),
});
export type PendingCommand = z.infer<typeof PendingCommand>;

const DATABASE = "kuroshio";
const STORE = "commands";
const OPEN_LIMIT_MS = 2_000;

/** Where IndexedDB is refused, commands are remembered as long as the page lives. */
const inMemory = new Map<string, PendingCommand>();
/** How to let go of the locks this page holds for its own commands. */
const locks = new Map<string, () => void>();

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "requestId" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("no database"));
    asked.onblocked = () => reject(new Error("database blocked"));
  });
}

/** A database that does not open in time counts as none: an order must not wait for it for ever. */
function inTime<Value>(wanted: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("database too slow")), OPEN_LIMIT_MS);
    wanted.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Run one transaction; resolves only after it is on disk. */
async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await inTime(open());
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error ?? new Error("transaction failed"));
      transaction.onabort = () => reject(transaction.error ?? new Error("transaction aborted"));
    });
  } finally {
    database.close();
  }
}

/** A name for a new command: a random UUID, also where the browser makes none by itself (plain HTTP in a home network). */
export function newRequestId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const lockName = (requestId: string): string => `command:${requestId}`;

/**
 * Hold a command for this page alone, until it is forgotten or the page goes: two tabs must not both report on it.
 * Waits while another page holds it: a page that is just being reloaded lets go late, a tab that is closed leaves it to the others.
 */
export async function hold(requestId: string): Promise<void> {
  // Over plain HTTP there are no locks: then two tabs may both report, which is only untidy.
  const manager: LockManager | null | undefined = navigator.locks;
  if (locks.has(requestId) || !manager) return;
  return new Promise((resolve) => {
    const held = manager.request(lockName(requestId), () => {
      resolve();
      return new Promise<void>((release) => locks.set(requestId, release));
    });
    held.catch(() => resolve());
  });
}

/** Let go of a command that somebody else has settled. */
export function letGo(requestId: string): void {
  locks.get(requestId)?.();
  locks.delete(requestId);
}

/** Keep a command; resolves when it is on disk (or, without IndexedDB, in memory). */
export async function keep(command: PendingCommand): Promise<void> {
  await hold(command.requestId);
  try {
    await within("readwrite", (store) => store.put(command));
  } catch {
    inMemory.set(command.requestId, command);
  }
}

/** Forget a command whose outcome is known. */
export async function forget(requestId: string): Promise<void> {
  inMemory.delete(requestId);
  letGo(requestId);
  try {
    await within("readwrite", (store) => store.delete(requestId));
  } catch {
    // Without IndexedDB it was only in memory.
  }
}

/** Every command of one member whose outcome is not known, oldest first. */
export async function pendingCommands(account: string): Promise<PendingCommand[]> {
  let found: unknown[];
  try {
    found = await within<unknown[]>("readonly", (store) => store.getAll());
  } catch {
    found = [];
  }
  return [...found, ...inMemory.values()]
    .map((one) => z.safeParse(PendingCommand, one))
    .flatMap((read) => (read.success && read.data.account === account ? [read.data] : []))
    .toSorted((a, b) => a.at - b.at);
}
