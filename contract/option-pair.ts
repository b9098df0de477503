/** Two option positions that are closed as one order: what it would bring, and the order. Both legs are filled, or neither. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { ContractLots, MARKET_REFUSALS, OptionPosition, OptionPositionNo, OptionSide, OptionTrade } from "./option.ts";

/** The farthest limit of a pair, in tenths of a point. */
const FARTHEST = 10_000_000;

/** The least that a lot of both must bring, in tenths of a point, negative where something is paid: no order takes whatever the quotes become. */
const NetLimit = z
  .int("VAL_LIMIT_PRICE_POSITIVE")
  .check(z.minimum(-FARTHEST, "TRD_PRICE_LIMIT_EXCEEDED"), z.maximum(FARTHEST, "TRD_PRICE_LIMIT_EXCEEDED"));

/** What closing a leg would bring now. */
export const PairLeg = z.object({
  positionNo: OptionPositionNo,
  side: OptionSide,
  price: z.int(),
  mark: z.int(),
  premiumCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
});
export type PairLeg = z.infer<typeof PairLeg>;

export const optionPairEndpoints = {
  quoteOptionPair: endpoint({
    path: "/options/quote-pair",
    access: "member",
    does: "Read what closing lots of two positions together would bring now, leg by leg, and the margin that the account needs then.",
    body: z.object({ positionNo: OptionPositionNo, otherNo: OptionPositionNo, lots: ContractLots }),
    data: z.object({
      /** As they were named. */
      legs: z.array(PairLeg),
      /** What a lot of both brings, in tenths of a point: the premium received less the one paid. */
      net: z.int(),
      marginCents: Cents,
      marginAfterCents: Cents,
      /** What the wallet lacks for it; 0 if nothing. */
      lackingCents: Cents,
      at: EpochMs,
    }),
    refusals: ["VAL_CONTRACT_LOTS", "GEN_NOT_FOUND", ...MARKET_REFUSALS],
  }),
  closeOptionPair: endpoint({
    path: "/options/close-pair",
    access: "member",
    does: "Close as many lots of one position as of another at the quotes, both whole and at once or neither.",
    body: z.object({ requestId: RequestId, positionNo: OptionPositionNo, otherNo: OptionPositionNo, lots: ContractLots, price: NetLimit }),
    /** As the positions were named. */
    data: z.object({ trades: z.array(OptionTrade), positions: z.array(OptionPosition) }),
    refusals: [
      "VAL_CONTRACT_LOTS",
      "VAL_LIMIT_PRICE_POSITIVE",
      "TRD_PRICE_LIMIT_EXCEEDED",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("close"),
      "GEN_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_CLOSE_EXCEEDS",
      ...MARKET_REFUSALS,
      "TRD_OPTION_NET_PAID",
      "TRD_OPTION_NET_RECEIVED",
      // The wallet cannot pay what is bought back, or what else they were paired with needs more margin.
      "TRD_CONTRACT_MARGIN",
    ],
  }),
};
