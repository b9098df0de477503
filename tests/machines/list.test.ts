/** Proof of the list: every lifecycle of the room is in it under its own name, and every one has its walk. */
import { describe, expect, it } from "vitest";
import { machines } from "#machines/index.ts";
import { paths } from "#tests/support/tree.ts";

/** Files of the room that are no lifecycle. */
const NOT_ONE = new Set(["index", "advance", "chart"]);
const nouns = paths.flatMap((path) => /^machines\/([a-z-]+)\.ts$/.exec(path)?.[1] ?? []).filter((noun) => !NOT_ONE.has(noun));

/** `margin-call` is called `marginCall` in code. */
const camel = (noun: string): string => noun.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe("the list of lifecycles", () => {
  it("names every file of the room", () => expect(Object.keys(machines).toSorted()).toEqual(nouns.map(camel).toSorted()));

  it.each(Object.entries(machines))("%s is called what it is called", (name, machine) => expect(machine.id).toBe(name));

  it.each(nouns)("%s is walked by its graph", (noun) => expect(paths).toContain(`tests/machines/${noun}.test.ts`));
});
