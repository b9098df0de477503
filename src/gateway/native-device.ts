/** Keeps what makes a native app a known device of the broker. It outlives sign-outs, which clear local storage. */

const DATABASE = "kuroshio-device";
const STORE = "device";
const KEY = "known";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB could not be opened"));
  });
}

async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await open();
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("transaction aborted"));
    });
  } finally {
    database.close();
  }
}

/** What the broker gave this device; null for none, and where nothing can be kept: the device is then new at every sign-in. */
export async function readDevice(): Promise<string | null> {
  const kept: unknown = await within("readonly", (store) => store.get(KEY)).catch(() => null);
  return typeof kept === "string" ? kept : null;
}

export async function keepDevice(value: string): Promise<void> {
  await within("readwrite", (store) => store.put(value, KEY)).catch(() => undefined);
}
