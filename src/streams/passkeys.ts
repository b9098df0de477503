/** The member's passkeys and the devices they are signed in on, reloaded after every change. */
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export const passkeys: Resource<Answer<"listPasskeys">> = resource<Answer<"listPasskeys">>({
  load: () => call("listPasskeys", {}, { shownByCaller: true }),
});

/** Read the passkeys in a component, the newest first. */
export function usePasskeys(): Read<Answer<"listPasskeys">> {
  return useResource(passkeys);
}

export const devices: Resource<Answer<"listDevices">> = resource<Answer<"listDevices">>({
  load: () => call("listDevices", {}, { shownByCaller: true }),
});

/** Read the devices in a component, this one first. */
export function useDevices(): Read<Answer<"listDevices">> {
  return useResource(devices);
}
