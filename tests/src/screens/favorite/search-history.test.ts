/** The search's memory. */
import { beforeEach, describe, expect, it } from "vitest";
import { forget, remember, searched } from "#src/screens/favorite/search-history.ts";

beforeEach(forget);

describe("what was opened from the search", () => {
  it("is kept newest first, each code once, the oldest dropped", () => {
    for (const code of ["1", "2", "3", "2", "4", "5", "6", "7", "8", "9"]) remember(code);
    expect(searched()).toEqual(["9", "8", "7", "6", "5", "4", "2", "3"]);
  });

  it("can be emptied", () => {
    remember("2330");
    forget();
    expect(searched()).toEqual([]);
  });
});
