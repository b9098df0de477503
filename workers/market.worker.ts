/** The market worker: comlink for what is asked now and then, one port for what streams. */
import { expose } from "comlink";
import { marketApi } from "./api.ts";
import { openSocket } from "#workers/connection/transport.ts";

expose(marketApi(openSocket));
