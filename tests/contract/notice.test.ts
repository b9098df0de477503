/** Notices: where each one leads. */
import { expect, it } from "vitest";
import { noticeRoute } from "#contract/notice.ts";

it("leads what is about an offering to its screens", () => {
  const routes = (
    ["offeringOpened", "subscriptionWon", "subscriptionPaymentFailed", "seatSuccess", "rebatePaid", "announcement"] as const
  ).map((about) => noticeRoute({ about, values: {} }));
  expect(routes).toEqual([
    "/home/newStock",
    "/home/newShareOrder",
    "/home/newShareOrder",
    "/information/seat",
    "/information/agent",
    "/information/userInfo",
  ]);
});

it("leads what is about a stake or a savings plan to the funds", () => {
  const abouts = ["stakeAllotted", "stakeReturned", "savingsSkipped"] as const;
  expect(abouts.map((about) => noticeRoute({ about, values: {} }))).toEqual(["/home/etf", "/home/etf", "/home/etf"]);
});

it("leads what is about futures or options to the screen of each", () => {
  const abouts = ["futuresSettled", "futuresBought", "optionSettled", "optionExpired", "optionSold"] as const;
  expect(abouts.map((about) => noticeRoute({ about, values: {} }))).toEqual([
    "/home/futures",
    "/home/futures",
    "/home/options",
    "/home/options",
    "/home/options",
  ]);
});
