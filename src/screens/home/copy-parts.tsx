/** What was copied of one mentor, each purchase and sale with the mentor's price beside the member's, and what was left out with the reason. */
import { useTranslation } from "react-i18next";
import type { CopyPart } from "#contract/copy.ts";
import { formatGain, formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useCopies, useCopyParts } from "#src/streams/copies.ts";
import { useMentorName } from "./copy-words.tsx";
import { TradedPage, TradedRow } from "./traded-page.tsx";
import styles from "./fund.module.css";

/** `/home/fllow?copy=…` */
export function PartsPage({ copyNo }: { copyNo: string }) {
  const { t } = useTranslation();
  const nameOf = useMentorName();
  const copy = useCopies().value?.copies.find((one) => one.copyNo === copyNo);
  return (
    <TradedPage
      title={copy ? nameOf(copy) : t("copy.parts")}
      fallback="/home/fllow"
      words={{ label: t("copy.parts"), failed: t("copy.mineFailed"), none: t("copy.partsNone"), noneWhy: t("copy.partsNoneWhy") }}
      trades={useCopyParts(copyNo)}
      renderRow={(part) => <PartRow part={part} />}
    />
  );
}

function PartRow({ part }: { part: CopyPart }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { side, code, at, mentorPrice, price, shares, wantedShares, leftOut, slippageCents, orderNo } = part;
  return (
    <TradedRow orderNo={orderNo}>
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
          <span className={styles.small}>{t("copy.slip", { amount: formatGain(0 - slippageCents) })}</span>
        )}
      </span>
    </TradedRow>
  );
}
