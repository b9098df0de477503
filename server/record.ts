/** Records the configured market as a tick file for FEED=replay until it is stopped: `npx node server/record.ts <file>`. */
import { createWriteStream } from "node:fs";
import process from "node:process";
import { readConfig } from "#server/config.ts";
import { openLog } from "#server/kernel/log.ts";
import { makeFeed } from "#server/venue/feed/open.ts";
import { recordFeed, recordVenue } from "#server/venue/feed/recorder.ts";
import { drawSeed } from "#server/venue/keyed-random.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";

/** Starts recording. @returns a function that stops it */
async function record(write: (line: string) => void): Promise<() => Promise<void>> {
  const config = readConfig(process.env);
  const feed = await makeFeed(config.feed, openLog(config.logLevel));
  if (feed) return recordFeed(feed, write);
  // A recording lists its instruments once, so it has no new issues. Without VENUE_SEED a fresh seed: the secret one of the database must not be exposed in a recording.
  const venue = openVenue({ ...config.venue, newIssues: false, bookClosures: false, seed: config.venue.seed ?? drawSeed() });
  const stop = recordVenue(venue, write);
  venue.start();
  return async () => {
    stop();
    await venue.stop();
  };
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("Usage: npx node server/record.ts <file>");
  process.exit(1);
}
const file = createWriteStream(path, { flags: "wx" });
try {
  await new Promise((opened, failed) => file.once("open", opened).once("error", failed));
  // A full disk ends the recording; what was written until then can be replayed.
  file.on("error", (error) => {
    console.error(`Recording stopped: ${error.message}`);
    process.exit(1);
  });
  const stop = await record((line) => void file.write(line));
  console.log(`Recording to ${path}. Stop with Ctrl+C.`);
  const end = async (): Promise<void> => {
    await stop();
    await new Promise((done) => file.end(done));
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
