/** Tests that neither files nor the folders of the server and the workers import each other in a circle, including type imports. */
import { describe, expect, it } from "vitest";
import { fileGraph, findCircle, folderGraph } from "#tests/support/import-graph.ts";
import { code } from "#tests/support/tree.ts";

const graph = fileGraph(code.filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path)));

describe("the import graph", () => {
  it("has no circle of files", () => expect(findCircle(graph)).toEqual([]));

  it.each(["server", "server/venue", "server/trading", "workers"])("has no circle of the folders in %s", (folder) => {
    expect(findCircle(folderGraph(graph, folder))).toEqual([]);
  });

  it("contains imports of types, of other rooms and on demand", () => {
    expect(graph.get("server/venue/venue-events.ts")).toContain("server/venue/venue.ts");
    expect(graph.get("server/venue/venue-events.ts")).toContain("contract/instrument.ts");
    expect(graph.get("server/venue/feed/open.ts")).toContain("server/venue/feed/fugle.ts");
    expect(folderGraph(graph, "server").get("jobs")).toContain("trading");
  });
});

describe("a circle", () => {
  const file = (path: string, imports: string) => ({ path, text: `import type { One } from "${imports}";\n` });

  it("of files is found", () => {
    const circle = fileGraph([file("a/one.ts", "#b/two.ts"), file("b/two.ts", "./three.ts"), file("b/three.ts", "#a/one.ts")]);
    expect(findCircle(circle)).toEqual(["a/one.ts", "b/two.ts", "b/three.ts", "a/one.ts"]);
  });

  it("of folders is found where its files form none", () => {
    const files = fileGraph([
      file("r/a/one.ts", "#r/b/two.ts"),
      file("r/b/three.ts", "#r/a/four.ts"),
      file("r/b/two.ts", "x"),
      file("r/a/four.ts", "x"),
    ]);
    expect(findCircle(files)).toEqual([]);
    expect(findCircle(folderGraph(files, "r"))).toEqual(["a", "b", "a"]);
  });
});
