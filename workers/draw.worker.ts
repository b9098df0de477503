/** The worker that repeats draws. */
import { expose } from "comlink";
import { drawApi } from "./draw.ts";

expose(drawApi);
