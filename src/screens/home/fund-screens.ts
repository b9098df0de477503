/** The screen of fund raisings and regular savings as one chunk. */
export { FundsPage } from "./funds.tsx";
