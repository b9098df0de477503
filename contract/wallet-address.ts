/** Wallet addresses: the member's own wallets outside the broker, which USDT is sent from; each belongs to one member. */
import * as z from "zod/mini";
import type { ChannelKind } from "./deposit.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";
import { FundPassword } from "./secret.ts";

export const NETWORKS = ["trc20", "erc20"] as const;
export const Network = z.enum(NETWORKS);
export type Network = z.infer<typeof Network>;

/** The network of each deposit channel in USDT. */
export const NETWORK_OF: Partial<Record<ChannelKind, Network>> = { usdtTrc20: "trc20", usdtErc20: "erc20" };

export const AddressId = z.string("WAL_NOT_FOUND").check(z.regex(/^A\d{1,12}$/, "WAL_NOT_FOUND"));

export const WalletAddress = z.object({ addressId: AddressId, network: Network, address: z.string(), addedAt: EpochMs });
export type WalletAddress = z.infer<typeof WalletAddress>;

const SHAPES: Record<Network, RegExp> = {
  trc20: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  erc20: /^0x[0-9a-fA-F]{40}$/,
};

/** Tells whether a text is written like an address of the network; its checksum is verified by the server. */
export const looksLikeAddress = (network: Network, address: string): boolean => SHAPES[network].test(address);

export const walletAddressEndpoints = {
  listAddresses: endpoint({
    path: "/wallet-addresses/list",
    access: "member",
    does: "List the member's wallet addresses, newest first.",
    body: z.object({}),
    data: z.object({ addresses: z.array(WalletAddress), most: z.int() }),
    refusals: [],
  }),
  addAddress: endpoint({
    path: "/wallet-addresses/add",
    access: "member",
    does: "Register a wallet of the member's own; withdrawals wait some hours after it.",
    body: z
      .object({
        requestId: RequestId,
        network: z.enum(NETWORKS, "GEN_FORM_INCOMPLETE"),
        address: z.string("WAL_INVALID").check(z.trim(), z.maxLength(64, "WAL_INVALID")),
        fundPassword: FundPassword,
      })
      .check(z.refine(({ network, address }) => looksLikeAddress(network, address), { error: "WAL_INVALID", path: ["address"] })),
    data: WalletAddress,
    refusals: [
      "GEN_FORM_INCOMPLETE",
      "WAL_INVALID",
      "VAL_FUND_DIGITS",
      "PWD_FUND_LOCKED",
      "PWD_FUND_WRONG",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("addWalletAddress"),
      "GEN_LIST_FULL",
      "WAL_EXISTS",
    ],
  }),
  removeAddress: endpoint({
    path: "/wallet-addresses/remove",
    access: "member",
    does: "Remove a wallet address; deposits that were sent from it stay as they are.",
    body: z.object({ requestId: RequestId, addressId: AddressId }),
    data: z.object({ addressId: AddressId }),
    refusals: ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", "WAL_NOT_FOUND"],
  }),
};
