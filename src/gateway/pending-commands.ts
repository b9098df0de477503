/** Stores commands in IndexedDB before they are sent, so that a reload does not lose a command that may have been executed. */
import "./schema.ts";
import * as z from "zod/mini";

/** One command whose outcome is not known yet. */
export const PendingCommand = z.object({
  requestId: z.string(),
  /** The endpoint it is sent to. */
  name: z.string(),
  body: z.unknown(),
  /** The account that sent it: another member on this device must not see it. */
  account: z.string(),
  at: z.number(),
  /** The member abandoned it, but the server has not confirmed yet. */
  givenUp: z.optional(z.boolean()),
});
export type PendingCommand = z.infer<typeof PendingCommand>;

const DATABASE = "kuroshio";
const STORE = "commands";
const OPEN_LIMIT_MS = 2_000;

/** Fallback where IndexedDB is unavailable: commands are kept as long as the page lives. */
const inMemory = new Map<string, PendingCommand>();
/** Functions that release the locks this page holds for its own commands. */
const locks = new Map<string, () => void>();

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "requestId" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB could not be opened"));
    request.onblocked = () => reject(new Error("IndexedDB is blocked by another tab"));
  });
}

/** A database that does not open in time counts as unavailable: an order must not wait for it forever. */
function inTime<Value>(wanted: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("IndexedDB did not open in time")), OPEN_LIMIT_MS);
    wanted.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Run one transaction; resolves only after it is on disk. */
async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await inTime(open());
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error ?? new Error("transaction failed"));
      transaction.onabort = () => reject(transaction.error ?? new Error("transaction aborted"));
    });
  } finally {
    database.close();
  }
}

/** A random UUID for a new command, also where the browser offers no `randomUUID` (plain HTTP in a home network). */
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
 * Lock a command for this page until it is forgotten or the page closes: two tabs must not both report on it.
 * Waits while another page holds the lock: a reloading page releases it late, a closed tab leaves it to the others.
 */
export async function lockCommand(requestId: string): Promise<void> {
  // Plain HTTP has no Web Locks: two tabs may then both report, which is harmless.
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

/** Release the lock of a command that another page has resolved. */
export function unlockCommand(requestId: string): void {
  locks.get(requestId)?.();
  locks.delete(requestId);
}

/** Store a command; resolves when it is on disk (or, without IndexedDB, in memory). */
export async function storeCommand(command: PendingCommand): Promise<void> {
  await lockCommand(command.requestId);
  try {
    await within("readwrite", (store) => store.put(command));
  } catch {
    inMemory.set(command.requestId, command);
  }
}

/** Delete a command whose outcome is known. */
export async function forgetCommand(requestId: string): Promise<void> {
  inMemory.delete(requestId);
  unlockCommand(requestId);
  try {
    await within("readwrite", (store) => store.delete(requestId));
  } catch {
    // Without IndexedDB it was only in memory.
  }
}

/** Every command of one account whose outcome is not known, oldest first. */
export async function pendingCommands(account: string): Promise<PendingCommand[]> {
  let stored: unknown[];
  try {
    stored = await within<unknown[]>("readonly", (store) => store.getAll());
  } catch {
    stored = [];
  }
  return [...stored, ...inMemory.values()]
    .map((one) => z.safeParse(PendingCommand, one))
    .flatMap((read) => (read.success && read.data.account === account ? [read.data] : []))
    .toSorted((a, b) => a.at - b.at);
}
