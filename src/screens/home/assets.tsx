/** The member's total assets and today's profit, at the latest prices. */
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { formatMoney, formatPercent } from "#contract/kernel/money.ts";
import type { MemberOverview } from "#contract/member.ts";
import { liveOverview, useMember } from "#src/streams/member.ts";
import { profitTotal$ } from "#src/streams/profits.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./home.module.css";

/** Today's profit as a share of the total before it, in basis points. */
export function todayBasisPoints({ totalCents, todayProfitCents }: Pick<MemberOverview, "totalCents" | "todayProfitCents">): number {
  const before = totalCents - todayProfitCents;
  return before > 0 ? Math.round((todayProfitCents * 10_000) / before) : 0;
}

/** The large total; links to the account. */
export function Assets() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMember();
  const sum = useObservableState(profitTotal$, null);
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("home.assetsFailed")} code={failure ?? ""} onRetry={retry} />;
    return <div className={styles.hero}>{skeleton && <Skeleton shape="hero" />}</div>;
  }
  const overview = liveOverview(value, sum);
  const today = overview.todayProfitCents;
  const text = t("home.today", {
    amount: formatMoney(today, "always"),
    percent: formatPercent(todayBasisPoints(overview)),
  });
  return (
    <Link to="/information/index" replace className={styles.hero ?? ""}>
      <span className={styles.label}>{t("home.totalAssets", { currency: overview.currency })}</span>
      <span className={styles.total}>{formatMoney(overview.totalCents)}</span>
      <span className={styles.today}>
        <Direction trend={trendOf(today)} text={text} arrow={false} />
      </span>
    </Link>
  );
}
