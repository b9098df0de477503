/** Sends requests to the broker. Loaded apart from the first screen, which is painted before any call is answered. */
import axios from "axios";
import type { AxiosInstance } from "axios";
import { BASE_PATH, CALL_TIMEOUT_MS, DEVICE_HEADER } from "#contract/kernel/endpoint.ts";
import { brokerOrigin, isNative } from "./shell.ts";

export interface HttpReply {
  status: number;
  payload: unknown;
}

const client: AxiosInstance = axios.create({
  timeout: CALL_TIMEOUT_MS,
  // Every status is a reply: the caller tells a refusal and an expired session apart.
  validateStatus: () => true,
});

/**
 * A native app says which device it is where sessions begin; a page's cookie does it. Null on a page, and where the part of the program
 * cannot be loaded: the device is then new to the broker, and the sign-in goes on.
 */
const nativeDevice = (path: string) =>
  path.startsWith("/session") && isNative() ? import("./native-device.ts").catch(() => null) : Promise.resolve(null);

async function deviceHeaders(path: string): Promise<Record<string, string>> {
  const device = (await (await nativeDevice(path))?.readDevice()) ?? null;
  return device === null ? {} : { [DEVICE_HEADER]: device };
}

/** Keeps what the broker gave this device. The reply does not wait for it. */
async function takeDevice(path: string, device: unknown): Promise<void> {
  if (typeof device === "string") await (await nativeDevice(path))?.keepDevice(device);
}

/** Posts JSON to a path of the contract. Never throws. */
export async function post(
  path: string,
  body: object,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<HttpReply | "cancelled" | "timeout" | "network"> {
  try {
    const reply = await client.post<unknown>(path, body, {
      baseURL: brokerOrigin() + BASE_PATH,
      headers: { ...headers, ...(await deviceHeaders(path)) },
      ...(signal ? { signal } : {}),
    });
    void takeDevice(path, reply.headers[DEVICE_HEADER]);
    return { status: reply.status, payload: reply.data };
  } catch (problem) {
    if (axios.isCancel(problem)) return "cancelled";
    if (axios.isAxiosError(problem) && (problem.code === "ECONNABORTED" || problem.code === "ETIMEDOUT")) return "timeout";
    return "network";
  }
}
