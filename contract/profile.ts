/** The profile of an instrument: what it is, its fictitious fundamentals, and what is related to it. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** Fundamentals are invented by the sandbox, whatever the instrument: every screen that shows them says so. */
export const Fundamentals = z.object({
  /** Earnings of the last four quarters, and book value, per share, in price units; earnings may be negative. */
  earnings: z.int(),
  book: Price,
  /** Cash dividends of the last twelve months per share, in price units. */
  dividend: Price,
  /** Revenue of the last four quarters, in millions of currency units, and its change on the year in hundredths of a percent. */
  revenueMillions: z.int(),
  revenueChange: z.int(),
});
export type Fundamentals = z.infer<typeof Fundamentals>;

export const Profile = z.object({
  code: Code,
  /** First trading day; null when it lies before the history. */
  listedAt: z.nullable(EpochMs),
  /** Null where it has no meaning: indices, currencies, funds. */
  fundamentals: z.nullable(Fundamentals),
  /** Highest and lowest price of the last 52 weeks, without adjustment; null without a history. */
  yearHigh: z.nullable(Price),
  yearLow: z.nullable(Price),
  /** The index it is compared with; null for what no index follows. */
  index: z.nullable(Code),
  /** What belongs beside it: the same category, the most alike in size first. */
  related: z.array(Code),
});
export type Profile = z.infer<typeof Profile>;

export const profileEndpoints = {
  readProfile: endpoint({
    path: "/profile/read",
    access: "member",
    does: "Read what an instrument is, its fictitious fundamentals, and what is related to it.",
    body: z.object({ code: Code }),
    data: Profile,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
