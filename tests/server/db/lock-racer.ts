/** Test process: takes a folder's lock at a given time, prints whether it got it, and holds it until its input ends. */
import { DataDirInUse, lockDataDir } from "#server/db/lock.ts";

const [dataDir = "", start = "0"] = process.argv.slice(2);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
while (Date.now() < Number(start)) continue;
try {
  lockDataDir(dataDir);
  process.stdout.write("has it");
} catch (error) {
  process.stdout.write(error instanceof DataDirInUse ? "refused" : String(error));
}
