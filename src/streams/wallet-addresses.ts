/** The member's wallet addresses, reloaded after every change. */
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

type WalletAddresses = Answer<"listAddresses">;

/** The addresses, the newest first. */
export const walletAddresses: Resource<WalletAddresses> = resource<WalletAddresses>({
  load: () => call("listAddresses", {}, { shownByCaller: true }),
});

/** Read the addresses in a component. */
export function useWalletAddresses(): Read<WalletAddresses> {
  return useResource(walletAddresses);
}
