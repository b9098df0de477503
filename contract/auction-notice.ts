/** The words of what happened in an auction; apart from the schemas, so that importing it does not load zod. */
import type { AuctionNotice } from "./bid.ts";
import { formatMoney, formatPrice, grouped } from "./kernel/money.ts";
import { formatDateTime } from "./kernel/time.ts";

/** What a notice says: that bidding began, or what became of a bid. */
type Said = "started" | "won" | "wonPart" | "lost" | "due" | "paid" | "forfeited" | "voided";

/** Every text of a notice. */
export type AuctionText = `message.auction.${Said | `${Said}Text`}`;

/** A bid that moved on in another way is told about by its screens alone. */
const SAID: Partial<Record<AuctionNotice["event"], Said>> = {
  "auction.started": "started",
  "bid.won": "won",
  "bid.lost": "lost",
  "bid.reminded": "due",
  "bid.paid": "paid",
  "bid.forfeited": "forfeited",
};

const GOOD: ReadonlySet<Said> = new Set(["won", "wonPart", "paid"]);

function valuesOf(notice: AuctionNotice): Record<string, string> {
  if (notice.event === "auction.started")
    return { code: notice.code, until: formatDateTime(notice.closesAt), price: formatPrice(notice.minimumPrice) };
  const { code, lots, price, wonLots, dueCents, payableUntil, depositCents, refundCents, wonCents, awardFeeCents } = notice.bid;
  return {
    code,
    lots: grouped(String(lots)),
    won: grouped(String(wonLots)),
    price: formatPrice(price),
    due: formatMoney(dueCents),
    until: payableUntil === null ? "" : formatDateTime(payableUntil),
    deposit: formatMoney(depositCents - refundCents),
    refund: formatMoney(refundCents),
    total: formatMoney(wonCents + awardFeeCents),
  };
}

/** Title and text of a notice in the reader's language. */
export function auctionWords(notice: AuctionNotice, t: (key: AuctionText, values: Record<string, string>) => string) {
  const said = SAID[notice.event] ?? "voided";
  const key = said === "won" && notice.event === "bid.won" && notice.bid.wonLots < notice.bid.lots ? "wonPart" : said;
  const values = valuesOf(notice);
  const tone = GOOD.has(key) ? ("success" as const) : key === "forfeited" ? ("danger" as const) : ("info" as const);
  return { title: t(`message.auction.${key}`, values), text: t(`message.auction.${key}Text`, values), tone };
}
