/** The profile of an instrument: listing date, fictitious fundamentals and related instruments. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** Fundamentals are fictitious for every instrument, and every screen that shows them says so. */
export const Fundamentals = z.object({
  /** Earnings of the last four quarters and book value, both per share in price units; earnings may be negative. */
  earnings: z.int(),
  book: Price,
  /** Cash dividends of the last twelve months per share, in price units. */
  dividend: Price,
  /** Revenue of the last four quarters in millions of currency units, and its year-on-year change in hundredths of a percent. */
  revenueMillions: z.int(),
  revenueChange: z.int(),
});
export type Fundamentals = z.infer<typeof Fundamentals>;

export const Profile = z.object({
  code: Code,
  /** First trading day, of a new issue the moment from which it trades; null when it precedes the price history. */
  listedAt: z.nullable(EpochMs),
  /** Shares issued today, in thousands; 0 where nothing is issued. */
  issuedThousands: z.int(),
  /** Null where not applicable: indices, currencies, funds. */
  fundamentals: z.nullable(Fundamentals),
  /** Highest and lowest unadjusted price of the last 52 weeks; null without a history. */
  yearHigh: z.nullable(Price),
  yearLow: z.nullable(Price),
  /** The benchmark index; null for none. */
  index: z.nullable(Code),
  /** Related instruments: the same category, the closest in size first. */
  related: z.array(Code),
});
export type Profile = z.infer<typeof Profile>;

export const profileEndpoints = {
  readProfile: endpoint({
    path: "/profile/read",
    access: "member",
    does: "Read an instrument's profile: listing date, fictitious fundamentals and related instruments.",
    body: z.object({ code: Code }),
    data: Profile,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
