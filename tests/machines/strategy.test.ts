/** Tests the lifecycle of a strategy's run: nothing is decided while it is paused or stops, and what has stopped begins no more. */
import { describe, expect, it } from "vitest";
import { advance } from "#machines/advance.ts";
import { strategyMachine } from "#machines/strategy.ts";

describe("the strategy machine", () => {
  it("pauses, resumes and stops", () => {
    expect(advance(strategyMachine, "running", "strategy.decided")).toBe("running");
    expect(advance(strategyMachine, "running", "strategy.paused")).toBe("paused");
    expect(advance(strategyMachine, "paused", "strategy.resumed")).toBe("running");
    expect(advance(strategyMachine, "paused", "strategy.stopping")).toBe("stopping");
    expect(advance(strategyMachine, "stopping", "strategy.sold")).toBe("stopping");
    expect(advance(strategyMachine, "stopping", "strategy.stopped")).toBe("stopped");
  });

  it("forbids everything else", () => {
    expect(advance(strategyMachine, "running", "strategy.resumed")).toBeNull();
    expect(advance(strategyMachine, "paused", "strategy.decided")).toBeNull();
    expect(advance(strategyMachine, "running", "strategy.sold")).toBeNull();
    expect(advance(strategyMachine, "stopping", "strategy.decided")).toBeNull();
    expect(advance(strategyMachine, "stopping", "strategy.paused")).toBeNull();
    for (const type of ["strategy.decided", "strategy.paused", "strategy.resumed", "strategy.stopping"] as const)
      expect(advance(strategyMachine, "stopped", type)).toBeNull();
  });
});
