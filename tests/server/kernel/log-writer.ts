/** A process that logs and ends in the same turn, once it is told to. */
import process from "node:process";
import { openLog } from "#server/kernel/log.ts";

const log = openLog("info");
process.on("message", (lines) => {
  for (let n = 1; n <= Number(lines); n += 1) log.info({ n }, "a line");
  process.exit(3);
});
process.send?.("ready");
