/** The screens of subscriptions as one chunk: each leads to the others. */
export { NewShareApply } from "./new-share-apply.tsx";
export { NewShares } from "./new-shares.tsx";
