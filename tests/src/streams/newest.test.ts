/** How what answers and facts bring is put into a list: newer versions only, each in its place. */
import { describe, expect, it } from "vitest";
import { withNewest } from "#src/streams/newest.ts";

const first = { no: "A1", version: 3, status: "running" };
const second = { no: "A2", version: 1, status: "paused" };
const value = { runs: [first, second], rule: "a rule" };

describe("an item put into a list", () => {
  it("takes the place of its older version", () => {
    const newer = { ...second, version: 2, status: "running" };
    expect(withNewest("runs", newer, "no")(value)).toEqual({ runs: [first, newer], rule: "a rule" });
  });

  it("leaves the value alone when it is not newer", () => {
    expect(withNewest("runs", { ...first, status: "paused" }, "no")(value)).toBe(value);
    expect(withNewest("runs", { ...first, version: 2 }, "no")(value)).toBe(value);
  });

  it("leads the list when it was not there", () => {
    const third = { no: "A3", version: 0, status: "running" };
    expect(withNewest("runs", third, "no")(value).runs).toEqual([third, first, second]);
  });
});
