/** Tests that the client calls every endpoint, except those that are there for callers outside the app. */
import { expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { code } from "#tests/support/tree.ts";

/** Endpoints that only callers outside the app use, each with what it is there for. */
const OUTSIDE: Readonly<Record<string, string>> = {
  closeOrder: "closes one order by its number alone; the app closes positions",
};

const client = code
  .filter(({ path }) => /^(?:src|workers)\//.test(path))
  .map(({ text }) => text)
  .join("\n");
const uncalled = Object.keys(endpoints).filter((name) => !client.includes(`"${name}"`));

it("the client calls every endpoint that is not named here", () => expect(uncalled).toEqual(Object.keys(OUTSIDE)));
