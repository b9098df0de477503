/** The channels of a deposit, its form and its progress as one chunk: the one leads to the other. */
export { DepositPage } from "./deposit.tsx";
export { DepositChannelPage } from "./deposit-channel.tsx";
