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

const nativeDevice = () => import("./native-device.ts");

/** A native app says which device it is where sessions begin; a page's cookie does it. */
const saysDevice = (path: string): boolean => path.startsWith("/session") && isNative();

async function deviceHeaders(path: string): Promise<Record<string, string>> {
  if (!saysDevice(path)) return {};
  const device = await (await nativeDevice()).readDevice();
  return device === null ? {} : { [DEVICE_HEADER]: device };
}

async function takeDevice(path: string, device: unknown): Promise<void> {
  if (typeof device === "string" && saysDevice(path)) await (await nativeDevice()).keepDevice(device);
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
    await takeDevice(path, reply.headers[DEVICE_HEADER]);
    return { status: reply.status, payload: reply.data };
  } catch (problem) {
    if (axios.isCancel(problem)) return "cancelled";
    if (axios.isAxiosError(problem) && (problem.code === "ECONNABORTED" || problem.code === "ETIMEDOUT")) return "timeout";
    return "network";
  }
}
