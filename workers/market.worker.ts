/** The market worker: comlink for what is asked now and then, one port for what streams. */
import { expose } from "comlink";
import { marketDoor } from "./door.ts";
import { openSocket } from "./transport.ts";

expose(marketDoor(openSocket));
