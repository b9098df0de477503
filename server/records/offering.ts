/** Offerings: conversion of table rows to the contract's type. */
import type { Category } from "#contract/instrument.ts";
import type { Board } from "#contract/instrument.ts";
import type { PublishedDraw } from "#contract/draw.ts";
import type { Code } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Entitlement, Offering } from "#contract/offering.ts";
import type { OfferingKind, OfferingPhase, OfferingRule } from "#contract/offering-kind.ts";
import { MILLION } from "#contract/rule.ts";

/** A row of `offering`. */
export interface OfferingRecord {
  offering_no: string;
  id: number;
  market: string;
  code: string;
  kind: OfferingKind;
  phase: OfferingPhase;
  names: Offering["names"];
  board: Board;
  category: Category["code"];
  lead_broker: Offering["leadBroker"];
  price: number | null;
  provisional_price: number;
  lots: number;
  lot_shares: number;
  auction: Offering["auction"];
  announced_at: number;
  opens_at: number;
  closes_at: number;
  drawn_at: number | null;
  payable_from: number | null;
  payable_until: number;
  allotted_at: number;
  trades_from: number;
  secret_hash: string | null;
  crowd_hash: string | null;
  committed_at: number | null;
  crowd_key: string | null;
  crowd_lots: number | null;
  member_lots: number | null;
  applications: number | null;
  list_hash: string | null;
  secret: string | null;
  winning_lots: number | null;
  result_hash: string | null;
  result_at: number | null;
  /** Of a capital increase only. */
  ex_at: number | null;
  ratio_per_million: number | null;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));
const priceOf = (units: number | null) => (units === null ? null : price(units));

/** The fewest and the most lots of an application. */
export function lotBounds({ kind, lots }: Pick<OfferingRecord, "kind" | "lots">, rule: OfferingRule): { least: number; most: number } {
  // In a capital increase the member's right is the most.
  if (kind === "increase") return { least: 1, most: lots };
  if (kind !== "placement") return { least: 1, most: 1 };
  return { least: rule.placementLeastLots, most: Math.min(lots, rule.placementMostLots) };
}

/** What was applied for and allotted, as far as it is told. */
function resultOf(row: OfferingRecord): Pick<Offering, "subscribedLots" | "winningLots" | "winningPerMillion"> {
  const { crowd_lots, member_lots, lots, winning_lots } = row;
  const subscribedLots = crowd_lots === null || member_lots === null ? null : crowd_lots + member_lots;
  const rate = subscribedLots === null ? null : Math.min(MILLION, Math.floor((lots * MILLION) / Math.max(1, subscribedLots)));
  return { subscribedLots, winningLots: winning_lots, winningPerMillion: rate };
}

/** What is published of a draw, each part from its moment on. */
export function publishedDraw(row: OfferingRecord): PublishedDraw & { applications: number | null } {
  return {
    offeringNo: row.offering_no,
    kind: row.kind,
    lots: row.lots,
    secretHash: row.secret_hash,
    crowdHash: row.crowd_hash,
    crowdKey: row.crowd_key,
    crowdLots: row.crowd_lots,
    applications: row.applications,
    listHash: row.list_hash,
    secret: row.secret,
    winningLots: row.winning_lots,
    resultHash: row.result_hash,
  };
}

/** A row of `entitlement`. */
export interface EntitlementRecord {
  offering_no: string;
  member_id: number;
  shares: number;
  worth: number;
  exercised_shares: number | null;
  lapsed_cents: number | null;
  settled_at: number | null;
}

export const toEntitlement = ({ shares, worth, lapsed_cents }: EntitlementRecord): Entitlement => ({
  shares,
  worth: price(worth),
  lapsedCents: lapsed_cents === null ? null : cents(lapsed_cents),
});

/** `market`: what it trades at, in price units; null before its listing. */
export function toOffering(row: OfferingRecord, market: number | null, rule: OfferingRule): Offering {
  const { least, most } = lotBounds(row, rule);
  const { secret_hash: secretHash, crowd_hash: crowdHash, committed_at: committedAt } = row;
  const isCommitted = secretHash !== null && crowdHash !== null && committedAt !== null;
  return {
    offeringNo: row.offering_no,
    code: row.code as Code,
    kind: row.kind,
    phase: row.phase,
    names: row.names,
    board: row.board,
    category: row.category,
    leadBroker: row.lead_broker,
    price: priceOf(row.price),
    provisionalPrice: price(row.provisional_price),
    marketPrice: priceOf(market),
    premium: market === null || row.price === null ? null : market - row.price,
    lots: row.lots,
    lotShares: row.lot_shares,
    leastLots: least,
    mostLots: most,
    ...resultOf(row),
    announcedAt: epochMs(row.announced_at),
    opensAt: epochMs(row.opens_at),
    closesAt: epochMs(row.closes_at),
    drawnAt: timeOf(row.drawn_at),
    payableFrom: timeOf(row.payable_from),
    payableUntil: epochMs(row.payable_until),
    allottedAt: epochMs(row.allotted_at),
    tradesFrom: epochMs(row.trades_from),
    auction: row.auction,
    increase:
      row.ex_at === null || row.ratio_per_million === null ? null : { exAt: epochMs(row.ex_at), ratioPerMillion: row.ratio_per_million },
    commitment: isCommitted ? { secretHash, crowdHash, committedAt: epochMs(committedAt) } : null,
  };
}
