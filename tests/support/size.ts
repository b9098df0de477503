/** How much the tests that could go on for ever do: enough to notice every day, and the whole of it with `npm run test:full`. */
import process from "node:process";

export const isFull = process.env["TEST_SIZE"] === "full";
export const sized = (everyday: number, full: number): number => (isFull ? full : everyday);
