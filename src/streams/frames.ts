/** The parts of frames that are not cells, as observables. */
import { filter } from "rxjs";
import { messages$ } from "./link.ts";

/** Every frame, as it comes. */
export const frames$ = messages$.pipe(filter((message) => message.kind === "frame"));
