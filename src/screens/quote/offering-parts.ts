/** What other screens show of offerings, as one chunk that they load when it is seen. */
export { OfferingBoard } from "./offering-board.tsx";
export { OfferingDigest } from "./offering-digest.tsx";
export { OfferingStory } from "./offering-story.tsx";
