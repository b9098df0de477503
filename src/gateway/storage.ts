/** Local storage: the five keys of the specification, validated on reading, and usable when the browser forbids storage. */
import "./schema.ts";
import * as z from "zod/mini";
import { Instrument } from "#contract/instrument.ts";

/** What "remember me" keeps between sign-ins; never a password. */
export const RememberedInfo = z.object({ idNumber: z.string() });
export type RememberedInfo = z.infer<typeof RememberedInfo>;

const json = <Schema extends z.ZodMiniType>(schema: Schema) => ({
  decode(text: string): z.output<Schema> | null {
    try {
      const read = z.safeParse(schema, JSON.parse(text));
      return read.success ? read.data : null;
    } catch {
      return null;
    }
  },
  encode: (value: z.output<Schema>): string => JSON.stringify(value),
});
const plain = {
  decode: (text: string): string | null => (text === "" ? null : text),
  encode: (value: string): string => value,
};

/** Every key, with its encoding. */
const keys = {
  tokend: plain,
  account: plain,
  rembInfo: json(RememberedInfo),
  stockDetail: json(Instrument),
  language: plain,
} as const;

export type StorageKey = keyof typeof keys;
type Stored<Key extends StorageKey> = NonNullable<ReturnType<(typeof keys)[Key]["decode"]>>;

/** Replaces local storage when the browser refuses it (private mode, blocked cookies). */
const inMemory = new Map<string, string>();

function rawRead(key: string): string | null {
  try {
    return window.localStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

function rawWrite(key: string, text: string): void {
  try {
    window.localStorage.setItem(key, text);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, text);
  }
}

function rawRemove(key: string): void {
  inMemory.delete(key);
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing was stored there, so there is nothing to remove.
  }
}

/** Read one key; null when it is missing or invalid. */
export function read<Key extends StorageKey>(key: Key): Stored<Key> | null {
  const text = rawRead(key);
  return text === null ? null : (keys[key].decode(text) as Stored<Key> | null);
}

/** Write one key. Never throws: without storage the value lives as long as the page. */
export function write<Key extends StorageKey>(key: Key, value: Stored<Key>): void {
  const encode = keys[key].encode as (value: Stored<Key>) => string;
  rawWrite(key, encode(value));
}

/** Delete one key. */
export function remove(key: StorageKey): void {
  rawRemove(key);
}

/** Clear local storage except `rembInfo`: what a forced logout does (specification section 4). */
export function clearExceptRemembered(): void {
  const remembered = rawRead("rembInfo");
  inMemory.clear();
  try {
    window.localStorage.clear();
  } catch {
    // Without storage only the memory above held values.
  }
  if (remembered !== null) rawWrite("rembInfo", remembered);
}

/**
 * Listen for another tab changing a key.
 * @returns a function that stops listening
 */
export function onOtherTab(key: StorageKey, listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    // A null key is another tab's clear().
    if (event.key === key || event.key === null) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
