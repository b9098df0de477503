/** Where an announcement leads: the route that shows more about it. */
import type { Announcement } from "./announcement.ts";
import { noticeRoute } from "./notice.ts";

/** The route that shows more about an announcement. */
export function routeOf(announcement: Announcement): `/${string}` {
  switch (announcement.kind) {
    case "report":
      return `/trade/positionDetail?orderNo=${announcement.report.orderNo}`;
    case "alert":
      return `/market/stockDetail?code=${announcement.alert.code}`;
    case "marginCall":
      return "/home/margin";
    case "loan":
      return `/home/loanRe?no=${announcement.notice.loan.loanNo}`;
    case "debt":
      return "/information/fundRecord";
    case "identity":
      return "/information/authInfo";
    case "restriction":
      return "/information/kef";
    case "deposit":
      return `/information/rechargeChannel?no=${announcement.deposit.depositNo}`;
    case "notice":
      return noticeRoute(announcement.notice);
    case "withdrawal":
      return `/information/withdrawalDetail?no=${announcement.withdrawal.withdrawalNo}`;
    case "block":
      return "/home/blockTrade2";
    case "auction":
      return "/home/newStockJp";
  }
}
