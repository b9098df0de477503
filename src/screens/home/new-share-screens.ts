/** The screens of subscriptions as one chunk: each leads to the others. */
export { NewShareApply } from "./new-share-apply.tsx";
export { NewShareRecords } from "./new-share-records.tsx";
export { NewShares } from "./new-shares.tsx";
