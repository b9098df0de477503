/** What an announcement is about: the code of its instrument, and the key that a later one about the same thing shares. */
import type { Announcement } from "./announcement.ts";

/** The code of the instrument an announcement is about; null for none. */
export function codeOf(announcement: Announcement): string | null {
  if (announcement.kind === "report") return announcement.report.code;
  if (announcement.kind === "notice") return announcement.notice.values["code"] ?? null;
  return announcement.kind === "alert" ? announcement.alert.code : null;
}

/** Announcements with the same key are about the same thing: the later one takes the earlier one's place. */
export function keyOf(announcement: Announcement): string {
  switch (announcement.kind) {
    case "report": {
      const { orderNo, side, kind, exit } = announcement.report;
      // All exits of a position wait again together.
      if (kind === "rearmed") return `${orderNo} rearmed`;
      return `${orderNo} ${side ?? exit ?? ""} ${kind === "filled" || kind === "partlyFilled" ? "fill" : kind}`;
    }
    case "alert":
      return announcement.alert.id;
    case "marginCall":
      return announcement.call.callNo;
    case "debt":
      return "debt";
    case "identity":
      return "identity";
    case "restriction":
      return `restriction ${announcement.notice.restriction}`;
    case "deposit":
      return announcement.deposit.depositNo;
    case "loan":
      return `${announcement.notice.loan.loanNo} ${announcement.notice.event}`;
    case "notice": {
      const { about, values } = announcement.notice;
      // Two of one kind are about different things unless they say the same: several strategies can stop at once, several loans of shares end.
      return ["notice", about, ...Object.values(values)].join(" ");
    }
    case "withdrawal":
      return announcement.withdrawal.withdrawalNo;
    case "block":
      return announcement.block.blockNo;
    case "auction":
      return announcement.notice.event === "auction.started" ? `auction ${announcement.notice.code}` : announcement.notice.bid.bidNo;
  }
}
