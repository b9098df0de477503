/** Tests the list of machines: it contains every machine under its own name, and each has a graph test. */
import { describe, expect, it } from "vitest";
import { machines } from "#machines/index.ts";
import { paths } from "#tests/support/tree.ts";

/** Files in machines/ that are not a machine. */
const OTHER_FILES = new Set(["index", "advance", "diagram"]);
const nouns = paths.flatMap((path) => /^machines\/([a-z-]+)\.ts$/.exec(path)?.[1] ?? []).filter((noun) => !OTHER_FILES.has(noun));

/** `margin-call` becomes `marginCall`. */
const camel = (noun: string): string => noun.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe("the list of machines", () => {
  it("contains every machine file", () => expect(Object.keys(machines).toSorted()).toEqual(nouns.map(camel).toSorted()));

  it.each(Object.entries(machines))("%s has its key as id", (name, machine) => expect(machine.id).toBe(name));

  it.each(nouns)("%s has a graph test", (noun) => expect(paths).toContain(`tests/machines/${noun}.test.ts`));
});
