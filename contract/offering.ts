/** Offerings: new shares, bonds, placements and funds before their listing, with their dates, prices and results. */
import * as z from "zod/mini";
import { Board } from "./instrument.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { Subscription } from "./subscription.ts";
import { OfferingKind, OfferingNo, OfferingPhase, OfferingRule } from "./offering-kind.ts";

/** A name in the three scripts that the market uses. */
const Names = z.object({ zh: z.string(), zhCn: z.string(), en: z.string() });

/** The competitive auction that sets the price of a lottery. */
const OfferingAuction = z.object({ opensAt: EpochMs, closesAt: EpochMs, openedAt: EpochMs, minimumPrice: Price, lots: z.int() });

/** What is published before the window opens so that the draw can be checked: SHA-256 of a secret, and of the simulated crowd. */
const Commitment = z.object({ secretHash: z.string(), crowdHash: z.string(), committedAt: EpochMs });

/** A capital increase: when the share trades ex-right, and how many new shares there are per million held. */
const Increase = z.object({ exAt: EpochMs, ratioPerMillion: z.int() });

/** What a member's positions entitle to in a capital increase. */
export const Entitlement = z.object({
  shares: z.int(),
  /** What the right to one share was worth on the ex-date: what a lapsed one is paid at most. */
  worth: Price,
  /** What was paid for those that lapsed; null until it is settled after the close. */
  lapsedCents: z.nullable(Cents),
});
export type Entitlement = z.infer<typeof Entitlement>;

/** One offering. What others do is told only after the window is closed. */
export const Offering = z.object({
  offeringNo: OfferingNo,
  code: Code,
  kind: OfferingKind,
  phase: OfferingPhase,
  names: Names,
  /** The market it will be listed on. */
  board: Board,
  category: z.string(),
  leadBroker: Names,
  /** The underwriting price; null until the auction before it is opened, or until the ex-date of a capital increase. */
  price: z.nullable(Price),
  provisionalPrice: Price,
  /** What the market pays; null before it is listed. */
  marketPrice: z.nullable(Price),
  /** The market price less the underwriting price, in price units; null while one of them is missing. */
  premium: z.nullable(z.int()),
  /** Lots offered, and shares of a lot. */
  lots: z.int(),
  lotShares: z.int(),
  /** Lots of one application: one in a lottery. */
  leastLots: z.int(),
  mostLots: z.int(),
  /** Lots that were validly applied for, of members and others; null before the close. */
  subscribedLots: z.nullable(z.int()),
  /** Lots that were allotted; null before the draw. */
  winningLots: z.nullable(z.int()),
  /** Lots offered per million lots applied for, at most a million; null before the close. */
  winningPerMillion: z.nullable(z.int()),
  announcedAt: EpochMs,
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** Null for a fund and a capital increase, which have no draw. */
  drawnAt: z.nullable(EpochMs),
  /** When winners may begin to pay; null before the draw. A draw that is late extends the time to pay. */
  payableFrom: z.nullable(EpochMs),
  payableUntil: EpochMs,
  allottedAt: EpochMs,
  /** The day of listing. */
  tradesFrom: EpochMs,
  auction: z.nullable(OfferingAuction),
  /** Null for everything but a capital increase. */
  increase: z.nullable(Increase),
  /** Null before it is made: with the announcement, or once an auction has set the price. What is not drawn has none. */
  commitment: z.nullable(Commitment),
});
export type Offering = z.infer<typeof Offering>;

/** An offering with what the member has to do with it. */
export const OfferingEntry = z.object({
  offering: Offering,
  /** Whether the member is reminded when it opens. */
  booked: z.boolean(),
  /** The member's latest application; null for none. */
  subscription: z.nullable(Subscription),
  /** In a capital increase; null without a right. */
  entitlement: z.nullable(Entitlement),
});
export type OfferingEntry = z.infer<typeof OfferingEntry>;

/** An application in the published list: its number tells nobody whose it is. */
const Entry = z.object({ receipt: z.string(), lots: z.int() });
/** What is published of a draw; each part is null until its moment. `contract/draw.ts` checks it. */
const Draw = z.object({
  offeringNo: OfferingNo,
  kind: OfferingKind,
  lots: z.int(),
  secretHash: z.nullable(z.string()),
  crowdHash: z.nullable(z.string()),
  crowdKey: z.nullable(z.string()),
  crowdLots: z.nullable(z.int()),
  /** Applications of members: entries of the list. */
  applications: z.nullable(z.int()),
  listHash: z.nullable(z.string()),
  secret: z.nullable(z.string()),
  winningLots: z.nullable(z.int()),
  resultHash: z.nullable(z.string()),
});

export const offeringEndpoints = {
  listOfferings: endpoint({
    path: "/offering/list",
    access: "member",
    does: "List offerings, the one that opened last first; those open alone, the one that closes first first. Null phases or kinds means all.",
    body: z.object({ phases: z.nullable(z.array(OfferingPhase)), kinds: z.nullable(z.array(OfferingKind)), cursor: Cursor }),
    data: z.object({
      page: pageOf(OfferingEntry),
      rule: OfferingRule,
      /** Draws of shares and bonds that the member is still barred from. */
      barredDraws: z.int(),
    }),
    refusals: [],
  }),
  readOffering: endpoint({
    path: "/offering/read",
    access: "member",
    does: "Read one offering with the member's own application.",
    body: z.object({ offeringNo: OfferingNo }),
    data: OfferingEntry,
    refusals: ["TRD_NO_SUBSCRIBABLE", "GEN_NOT_FOUND"],
  }),
  readDraw: endpoint({
    path: "/offering/draw",
    access: "member",
    does: "Read what is published of a draw: hashes before the window opens, the crowd at the close, the secret and the result at the draw.",
    body: z.object({ offeringNo: OfferingNo }),
    data: Draw,
    refusals: ["TRD_NO_SUBSCRIBABLE", "GEN_NOT_FOUND"],
  }),
  listDrawEntries: endpoint({
    path: "/offering/entries",
    access: "member",
    does: "Read the published list of members' applications in its order, 1,000 at a time; empty before the close.",
    body: z.object({ offeringNo: OfferingNo, cursor: Cursor }),
    data: z.object({ items: z.array(Entry), next: z.nullable(z.string()) }),
    refusals: ["TRD_NO_SUBSCRIBABLE", "GEN_NOT_FOUND"],
  }),
  findOffering: endpoint({
    path: "/offering/find",
    access: "member",
    does: "Read the latest offering of an instrument with the member's own application.",
    body: z.object({ code: Code }),
    data: OfferingEntry,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
