/** The worker that shrinks photos before they are uploaded. */
import { expose } from "comlink";
import { shrink } from "./photo.ts";
import type { PhotoApi } from "./photo.ts";

expose({ shrink } satisfies PhotoApi);
