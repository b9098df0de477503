/** Tests addresses: every route written anywhere has a screen, queries are encoded, and unknown addresses match no screen. */
import { describe, expect, it } from "vitest";
import { pathTo } from "#src/paths.ts";
import { knownPath, routeAt, routes, tabs } from "#src/routes.tsx";
import { code } from "#tests/support/tree.ts";

/** Route-shaped texts: in links, in comments of screens, in addresses the journeys open. */
const WRITTEN = /["'`#](\/(?:login|home|favorite|market|trade|information|lab)\/[A-Za-z0-9]+)(?=["'`?])/g;

describe("a tab's root", () => {
  it("has a screen wherever it is written", () => {
    const places = code.filter(({ path }) => /^(?:src|workers|machines|public|tests\/(?:journeys|bench))\//.test(path));
    const written = places.flatMap(({ path, text }) => [...text.matchAll(WRITTEN)].map((match) => ({ path, route: match[1] ?? "" })));
    expect(written.length).toBeGreaterThan(200);
    expect(written.filter(({ route }) => !routeAt(route))).toEqual([]);
  });

  it("encodes its query and leaves out undefined values", () => {
    expect(pathTo("/market/Plate1", { board: "otc", category: "a&b=c d" })).toBe("/market/Plate1?board=otc&category=a%26b%3Dc+d");
    expect(pathTo("/favorite/moreList", { by: "gainers", board: undefined })).toBe("/favorite/moreList?by=gainers");
    expect(pathTo("/favorite/zxList", { group: undefined })).toBe("/favorite/zxList");
  });

  it("from outside is accepted when it matches a screen", () => {
    expect(knownPath("/trade/index?tab=closed")).toBe("/trade/index?tab=closed");
    expect([knownPath("/trade/nowhere"), knownPath(""), knownPath("//elsewhere.example")]).toEqual([null, null, null]);
  });

  it("is unique per route", () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length);
  });
});

describe("a tab", () => {
  it.each(tabs)("is the start of the tab: $name", ({ name, to }) => {
    expect(routeAt(to)).toMatchObject({ tab: name, root: true });
  });
});
