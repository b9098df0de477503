/** Tests the lifecycle of following a mentor: nothing is bought while it stops, and what has stopped begins no more. */
import { describe, expect, it } from "vitest";
import { advance } from "#machines/advance.ts";
import { copyMachine } from "#machines/copy.ts";

describe("the copy machine", () => {
  it("pauses, resumes and stops", () => {
    expect(advance(copyMachine, "following", "copy.paused")).toBe("paused");
    expect(advance(copyMachine, "paused", "copy.resumed")).toBe("following");
    expect(advance(copyMachine, "paused", "copy.stopping")).toBe("stopping");
    expect(advance(copyMachine, "stopping", "copy.copied")).toBe("stopping");
    expect(advance(copyMachine, "stopping", "copy.stopped")).toBe("stopped");
  });

  it("forbids everything else", () => {
    expect(advance(copyMachine, "following", "copy.resumed")).toBeNull();
    expect(advance(copyMachine, "stopping", "copy.resumed")).toBeNull();
    expect(advance(copyMachine, "stopping", "copy.paused")).toBeNull();
    for (const type of ["copy.copied", "copy.paused", "copy.resumed", "copy.stopping"] as const)
      expect(advance(copyMachine, "stopped", type)).toBeNull();
  });
});
