/** The form of a withdrawal, its progress, and the member's own accounts outside the broker as one chunk: the one leads to the other. */
export { BankCardAdd } from "./bank-card-add.tsx";
export { BankCards } from "./bank-cards.tsx";
export { WalletAddresses } from "./wallet-addresses.tsx";
export { WithdrawPage } from "./withdraw.tsx";
export { WithdrawalPage } from "./withdrawal.tsx";
