/** The kinds, phases and rule of offerings; apart from their schemas, because the worker loads the rules. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

/** A share or a bond by public lottery, a share in a placement, a fund in its raising, or new shares for the holders of a listed one. */
export const OFFERING_KINDS = ["share", "bond", "placement", "fund", "increase"] as const;
export const OfferingKind = z.enum(OFFERING_KINDS);
export type OfferingKind = z.infer<typeof OfferingKind>;

/**
 * The lifecycle of an offering; the same words in SQL, machine and locale. `void`: its draw could not be held, and everything was given
 * back; `failed`: a raising below its least size.
 */
export const OFFERING_PHASES = ["upcoming", "open", "closed", "drawn", "allotted", "listed", "void", "failed"] as const;
export const OfferingPhase = z.enum(OFFERING_PHASES);
export type OfferingPhase = z.infer<typeof OfferingPhase>;

/** What happens to an offering: all of it by the clock. */
export const OFFERING_STEPS = [
  "offering.opened",
  "offering.closed",
  "offering.drawn",
  "offering.allotted",
  "offering.listed",
  "offering.voided",
  "offering.failed",
] as const;
export type OfferingStep = (typeof OFFERING_STEPS)[number];

/** Whether an offering is decided by a draw, or pro rata with one among equals: neither a fund nor a capital increase. */
export const isDrawn = (kind: OfferingKind): boolean => kind !== "fund" && kind !== "increase";

export const OfferingNo = z.string().check(z.regex(/^S\d{1,12}$/, "TRD_NO_SUBSCRIBABLE"));

/** The rule of offerings; seconds are those of the sandbox. */
export const OfferingRule = z.object({
  /** What may be applied for now. */
  channels: z.array(OfferingKind),
  /** Handling fee of an application, never returned; delivery fee, returned to who gets nothing. */
  feeCents: Cents,
  deliveryCents: Cents,
  /** Held at the application as a part of its value; lost by who wins and does not pay. */
  depositPerMillion: z.int(),
  /** Applications of one member for one offering, those withdrawn included. */
  timesPerOffering: z.int(),
  placementLeastLots: z.int(),
  placementMostLots: z.int(),
  /** Draws of shares and bonds that a member may not take part in after not paying for a win or waiving it. */
  barredDraws: z.int(),
  /** Credit points that not paying, and waiving, cost. */
  failedPoints: z.int(),
  waivedPoints: z.int(),
  /** From the draw until winners may pay. */
  payAfterSeconds: z.int(),
});
export type OfferingRule = z.infer<typeof OfferingRule>;
