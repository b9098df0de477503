/** The ex-events of an instrument: dividends, rights and splits, newest first, after those announced. */
import { useTranslation } from "react-i18next";
import type { CorporateAction, ExDate } from "#contract/corporate-action.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { cashText, perThousandText, splitText } from "#src/screens/quote/ex-amounts.ts";
import { useActions } from "#src/streams/profiles.ts";
import { ErrorState } from "#src/ui/state.tsx";
import styles from "./profile.module.css";

/** Empty for an instrument without ex-events. */
export function ExEvents({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useActions(instrument.code);
  if (value === null && state === "failed") return <ErrorState what={t("market.action.failed")} code={failure ?? ""} onRetry={retry} />;
  if (value === null || value.actions.length + value.coming.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="ex-events">
      <h2 id="ex-events">{t("market.action.title")}</h2>
      <ul role="list">
        {value.coming.toReversed().map((coming) => (
          <li key={`${coming.at} ${coming.kind}`} className={styles.action}>
            <span className={styles.date}>{formatDate(coming.at)}</span>
            <ComingText coming={coming} />
            <span className={styles.step}>{t("market.action.coming")}</span>
          </li>
        ))}
        {value.actions.toReversed().map((action) => (
          <li key={`${action.at} ${action.kind}`} className={styles.action}>
            <span className={styles.date}>{formatDate(action.at)}</span>
            <ActionText action={action} />
            <span className={styles.step}>
              {t("market.action.reference", {
                before: formatPrice(action.closeBefore, instrument.decimals),
                after: formatPrice(action.reference, instrument.decimals),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is paid in cash is known with the close before. */
function ComingText({ coming: { kind, freeMillionths } }: { coming: ExDate }) {
  const { t } = useTranslation();
  return (
    <span className={styles.says}>
      <span>{t(`market.action.kind.${kind}`)}</span>
      <NewShares kind={kind} freeMillionths={freeMillionths} />
    </span>
  );
}

function NewShares({ kind, freeMillionths }: Pick<CorporateAction, "kind" | "freeMillionths">) {
  const { t } = useTranslation();
  if (freeMillionths === 0) return null;
  const split = kind === "split";
  return (
    <span>
      {split ? t("market.action.split", { n: splitText(freeMillionths) }) : t("market.action.free", { n: perThousandText(freeMillionths) })}
    </span>
  );
}

function ActionText({ action }: { action: CorporateAction }) {
  const { t } = useTranslation();
  const { kind, cash, paysAt, freeMillionths, rightsMillionths, rightsPrice } = action;
  return (
    <span className={styles.says}>
      <span>{t(`market.action.kind.${kind}`)}</span>
      {cash > 0 && <span>{t("market.action.cash", { amount: cashText(cash) })}</span>}
      {paysAt !== undefined && <span>{t("market.action.paid", { day: formatDate(paysAt) })}</span>}
      <NewShares kind={kind} freeMillionths={freeMillionths} />
      {rightsMillionths > 0 && (
        <span>{t("market.action.rights", { n: perThousandText(rightsMillionths), price: formatPrice(rightsPrice) })}</span>
      )}
    </span>
  );
}
