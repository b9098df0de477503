/** The market worker: comlink for occasional calls, one port for streaming. */
import { expose } from "comlink";
import { marketApi } from "./api.ts";
import { openSocket } from "#workers/connection/transport.ts";

expose(marketApi(openSocket));
