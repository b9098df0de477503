/** Preloaded into a server: terminates the embedded database's worker thread on SIGUSR2, simulating a crash. */
import process from "node:process";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

class Killable extends threads.Worker {
  constructor(...[file, options]: ConstructorParameters<typeof threads.Worker>) {
    super(file, options);
    if (options?.name === "pglite") process.once("SIGUSR2", () => void this.terminate());
  }
}
threads.Worker = Killable;
syncBuiltinESMExports();
