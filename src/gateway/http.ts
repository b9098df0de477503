/** Sends requests to the broker. Loaded apart from the first screen, which is painted before any call is answered. */
import axios from "axios";
import type { AxiosInstance } from "axios";
import { BASE_PATH, CALL_TIMEOUT_MS } from "#contract/kernel/endpoint.ts";
import { brokerOrigin } from "./shell.ts";

export interface HttpReply {
  status: number;
  payload: unknown;
}

const client: AxiosInstance = axios.create({
  timeout: CALL_TIMEOUT_MS,
  // Every status is a reply: the caller tells a refusal and an expired session apart.
  validateStatus: () => true,
});

/** Posts JSON to a path of the contract. Never throws. */
export async function post(
  path: string,
  body: object,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<HttpReply | "cancelled" | "timeout" | "network"> {
  try {
    const { status, data } = await client.post<unknown>(path, body, {
      baseURL: brokerOrigin() + BASE_PATH,
      headers,
      ...(signal ? { signal } : {}),
    });
    return { status, payload: data };
  } catch (problem) {
    if (axios.isCancel(problem)) return "cancelled";
    if (axios.isAxiosError(problem) && (problem.code === "ECONNABORTED" || problem.code === "ETIMEDOUT")) return "timeout";
    return "network";
  }
}
