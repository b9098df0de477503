/** Sizes of the randomised tests: a small one for every day, the full one with `npm run test:full`. */
import process from "node:process";

export const isFull = process.env["TEST_SIZE"] === "full";
export const sized = (everyday: number, full: number): number => (isFull ? full : everyday);
