/** Tests that keys which are asked for in one turn of the event loop are read together, each caller getting its own. */
import { expect, it } from "vitest";
import { readTogether } from "#server/kernel/read-together.ts";

/** Reads lengths of words; a group with `bad` fails. */
function reading() {
  const groups: string[][] = [];
  const ask = readTogether(async (words: readonly string[]) => {
    groups.push([...words]);
    await Promise.resolve();
    if (words.includes("bad")) throw new Error("bad");
    return new Map(words.filter((word) => word !== "").map((word) => [word, word.length]));
  });
  return { groups, ask };
}

it("reads what is asked for in one turn with one query, each key once", async () => {
  const { groups, ask } = reading();
  expect(await Promise.all([ask("a"), ask("four"), ask(""), ask("a")])).toEqual([1, 4, undefined, 1]);
  expect(groups).toEqual([["a", "four", ""]]);
});

it("reads a key again that is asked for while its query runs", async () => {
  const { groups, ask } = reading();
  const first = ask("a");
  await new Promise((turn) => setImmediate(turn));
  expect(groups).toEqual([["a"]]);
  expect(await Promise.all([first, ask("a"), ask("bb")])).toEqual([1, 1, 2]);
  expect(groups).toEqual([["a"], ["a", "bb"]]);
});

it("fails for those alone whose query fails", async () => {
  const { ask } = reading();
  const failed = await Promise.allSettled([ask("bad"), ask("a")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("a")).toBe(1);
});
