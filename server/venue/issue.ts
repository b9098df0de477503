/** A new issue: what the venue says in public about an instrument that is offered first and listed later. */
import type { Board, Category, Instrument } from "#contract/instrument.ts";
import type { EpochMs } from "#contract/kernel/time.ts";

/** What is offered: a share or a bond by public lottery, a fund in its raising, or a share in a placement. */
export const ISSUE_KINDS = ["share", "bond", "fund", "placement"] as const;
export type IssueKind = (typeof ISSUE_KINDS)[number];

/** The moments of an issue, each at the start, the open or the close of a session. */
export interface IssuePhases {
  announcedAt: EpochMs;
  /** The window for applications. */
  opensAt: EpochMs;
  closesAt: EpochMs;
  /** The draw of a lottery, or the allotment's result of a placement; null for a fund, which has neither. */
  drawnAt: EpochMs | null;
  /** Until when what was allotted is paid for. */
  payableUntil: EpochMs;
  /** When the units are delivered. */
  allottedAt: EpochMs;
  /** The beginning of its first session: from here on it can be traded. */
  tradesFrom: EpochMs;
}

/** The competitive auction before the lottery of a share. */
export interface IssueAuction {
  opensAt: EpochMs;
  closesAt: EpochMs;
  openedAt: EpochMs;
  /** The lowest price of a bid, in price units. */
  minimumPrice: number;
  lots: number;
}

export type TradeNames = Pick<Instrument, "zh" | "zhCn" | "en">;

/** What is public of a fund: its distributions, the index it follows, and its end. */
export interface FundFacts {
  /** Distributions a year; 0 for none. */
  distributions: number;
  /** What they are together, as a part of the price in millionths, as those of funds of its kind. */
  yieldPerMillion: number;
  /** Null where it follows no index of the market. */
  indexCode: string | null;
  /** When a fund with a term ends: it is redeemed, and traded no more; null for one without. */
  maturesAt: EpochMs | null;
  /** Of a fund with a term: the close of its last session, and when its holders are told of it. */
  lastTradedAt?: EpochMs;
  noticeAt?: EpochMs;
}

/** An announced issue. Nothing in it tells what it will be worth. */
export interface Issue extends IssuePhases, TradeNames {
  /** Counts the issues of a market from 0. */
  number: number;
  /** Row and code of its instrument. */
  row: number;
  code: string;
  kind: IssueKind;
  board: Board;
  category: Category["code"];
  /** Underwriting price in price units; after an auction the provisional one, the most that its outcome may be. */
  price: number;
  /** Lots offered to the public in the window (in a lottery one a winner). */
  lots: number;
  auction: IssueAuction | null;
  leadBroker: TradeNames;
  /** Of a fund only. */
  fund?: FundFacts;
}

/** A capital increase of a listed share: its holders before the ex-date may buy new ones. */
export interface Increase extends Omit<IssuePhases, "drawnAt"> {
  code: string;
  /** The beginning of the session from which on it trades ex-right. */
  exAt: EpochMs;
  /** New shares per million shares held. */
  ratioPerMillion: number;
  /** The price in price units if it were set at what the share costs now; it is set at the close before the ex-date. */
  provisionalPrice: number;
  leadBroker: TradeNames;
}

/** What becomes of an issue at a moment: its row appears, or it can be traded. */
export type IssueEvent = "announced" | "listed";

/** A bid of the simulated crowd: a price in price units and lots. */
export interface SealedBid {
  price: number;
  lots: number;
}

/**
 * What the simulated crowd does in the offering of an issue. It knows roughly what the issue is worth, which is a secret: an offering
 * must not publish any of this before the window (or the auction) is closed.
 */
export interface OfferingCrowd {
  /** Valid applications of one lot each in a lottery at an underwriting price: the better the price, the more. */
  applications(price: number): number;
  /** Lots asked for by others in a placement or a raising: of a fund at least four tenths of those offered, so that it is listed. */
  lotsAsked: number;
  /** The others' bids in the auction, the highest first; empty without one. */
  bids(): readonly SealedBid[];
}
