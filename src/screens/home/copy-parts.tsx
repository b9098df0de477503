/** What was copied of one mentor, each purchase and sale with the mentor's price beside the member's, and what was left out with the reason. */
import { useTranslation } from "react-i18next";
import type { CopyPart } from "#contract/copy.ts";
import { formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useCopies, useCopyParts } from "#src/streams/copies.ts";
import { Button } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { gain, useMentorName } from "./copy-words.tsx";
import styles from "./fund.module.css";

/** `/home/fllow?copy=…` */
export function PartsPage({ copyNo }: { copyNo: string }) {
  const { t } = useTranslation();
  const nameOf = useMentorName();
  const copy = useCopies().value?.copies.find((one) => one.copyNo === copyNo);
  const { value, state, failure, retry, more, moreState } = useCopyParts(copyNo);
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={copy ? nameOf(copy) : t("copy.parts")} fallback="/home/fllow" />}>
      <div className={styles.panel}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={t("copy.mineFailed")} code={failure ?? ""} onRetry={retry} />}
        {value && value.items.length === 0 && <EmptyState title={t("copy.partsNone")} why={t("copy.partsNoneWhy")} />}
        {value && value.items.length > 0 && (
          <ul role="list" aria-label={t("copy.parts")} className={styles.rows}>
            {value.items.map((part) => (
              <li key={part.id}>
                <PartRow part={part} />
              </li>
            ))}
          </ul>
        )}
        {value && value.next !== null && (
          <div className={styles.inset}>
            <Button busy={moreState === "loading"} onClick={more}>
              {t("fund.more")}
            </Button>
          </div>
        )}
      </div>
    </Screen>
  );
}

function PartRow({ part }: { part: CopyPart }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { side, code, at, mentorPrice, price, shares, wantedShares, leftOut, slippageCents, orderNo } = part;
  const body = (
    <>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(code)}</span>
        <span className={styles.small}>{t(`copy.kind.${side}`, { n: grouped(String(leftOut === null ? shares : wantedShares)) })}</span>
        {leftOut !== null && <span className={styles.small}>{t(`copy.omission.${leftOut}`)}</span>}
        {leftOut === null && shares < wantedShares && (
          <span className={styles.small}>{t(side === "buy" ? "copy.partly" : "copy.resting", { n: grouped(String(wantedShares)) })}</span>
        )}
        <span className={styles.small}>{formatDateTime(at)}</span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.small}>
          {mentorPrice === null ? t("copy.noMentor") : t("copy.mentorAt", { price: formatPrice(mentorPrice) })}
        </span>
        {price !== null && (
          <span className={styles.price}>{t("copy.ownAt", { price: formatPrice(price, price % 100 === 0 ? 2 : 4) })}</span>
        )}
        {price !== null && mentorPrice !== null && (
          <span className={styles.small}>{t("copy.slip", { amount: gain(0 - slippageCents) })}</span>
        )}
      </span>
    </>
  );
  return orderNo === null ? (
    <div className={styles.row}>{body}</div>
  ) : (
    <Link to={pathTo("/trade/positionDetail", { orderNo })} className={styles.row ?? ""}>
      {body}
    </Link>
  );
}
