/** What happened to the member, each fact once and in order: pushed, or caught up on after a broken line. */
import { filter, mergeMap } from "rxjs";
import { messages$ } from "./link.ts";

/** Facts from the moment the session was opened; what was before is in the lists the desks answer with. */
export const facts$ = messages$.pipe(
  filter((message) => message.kind === "facts"),
  mergeMap((message) => message.facts),
);
