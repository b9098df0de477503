/** The worker that prices the chain of options on screen. */
import { expose } from "comlink";
import { optionChainApi } from "./option-chain.ts";

expose(optionChainApi());
