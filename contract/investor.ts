/** What kinds of investors traded in a session, and the balances of margin trading: figures an exchange publishes after the close. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

/** The three kinds of institutions (三大法人): foreign investors, investment trusts, dealers. */
export const INSTITUTIONS = ["foreign", "trust", "dealer"] as const;
export type Institution = (typeof INSTITUTIONS)[number];

/** Lots bought and sold; the net buying (買賣超) is their difference. */
const Trades = z.object({ bought: z.int(), sold: z.int() });

/** Lots of a balance: what was added and repaid in the session, and what is left at its end. */
const Balance = z.object({ added: z.int(), repaid: z.int(), balance: z.int() });
export type Balance = z.infer<typeof Balance>;

export const InvestorDay = z.object({
  /** Taipei midnight of the session's day. */
  at: EpochMs,
  /** Lots traded in the session. */
  volume: z.int(),
  foreign: Trades,
  trust: Trades,
  dealer: Trades,
  /** Bought on margin (融資) and sold short (融券); null until published, and where the instrument has no margin trading. */
  margin: z.nullable(z.object({ long: Balance, short: Balance })),
});
export type InvestorDay = z.infer<typeof InvestorDay>;

/** The number of sessions the endpoint replies with. */
export const INVESTOR_DAYS = 20;

export const investorEndpoints = {
  readInvestors: endpoint({
    path: "/investors/read",
    access: "member",
    does: "Read the institutional trading and margin balances of an instrument's latest sessions, newest first; null where the source of prices does not report them.",
    body: z.object({ code: Code }),
    data: z.object({ days: z.nullable(z.array(InvestorDay)) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
