/** Words about funds: what happens next in a raising. */
import { useTranslation } from "react-i18next";
import type { Raise, RaiseStatus } from "#contract/raise.ts";
import { shortMoment } from "#src/screens/quote/sale-words.ts";

/** What happens next in a raising, and when. */
export function useNextRaise(): (raise: Raise) => string {
  const { t } = useTranslation();
  return ({ status, opensAt, closesAt, tradesFrom, maturesAt }) => {
    const words: Record<RaiseStatus, () => string> = {
      upcoming: () => t("fund.next.upcoming", { time: shortMoment(opensAt) }),
      raising: () => t("fund.next.raising", { time: shortMoment(closesAt) }),
      raised: () => t("fund.next.raised", { time: shortMoment(tradesFrom) }),
      failed: () => t("fund.next.failed"),
      listed: () =>
        maturesAt === null
          ? t("fund.next.listed", { time: shortMoment(tradesFrom) })
          : t("fund.next.matures", { time: shortMoment(maturesAt) }),
      terminated: () => t("fund.next.terminated"),
    };
    return words[status]();
  };
}
