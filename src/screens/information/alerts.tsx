/** Price alerts: the waiting and the fired ones; new ones are set on an instrument's page, found here by search. */
import { BellRing } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { MAX_ALERTS } from "#contract/alert.ts";
import type { Alert } from "#contract/alert.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { alertCondition } from "#src/actors/alert-words.ts";
import { detailPath, ownPath } from "#src/screens/quote/detail-link.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useAlertWithdrawal } from "#src/screens/quote/use-alert-withdrawal.ts";
import { useAlerts } from "#src/streams/alerts.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./alerts.module.css";

/** `/information/alerts` */
export function Alerts() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAlerts();
  const skeleton = useSkeleton(value === null && state === "loading");
  const waiting = value?.filter(({ status }) => status === "waiting") ?? [];
  const fired = value?.filter(({ status }) => status === "fired") ?? [];
  return (
    <Screen
      header={
        <BackHeader
          title={t("alert.title")}
          subtitle={value && t("alert.used", { n: waiting.length, most: MAX_ALERTS })}
          fallback="/information/index"
        />
      }
      top={<StaleNotice />}
      footer={
        <ButtonLink to="/favorite/search" tone="primary" size="large" block>
          {t("alert.find")}
        </ButtonLink>
      }
    >
      <div className={styles.page}>
        <p className={styles.note}>{t("alert.note")}</p>
        {!value && skeleton && <Skeleton rows={4} />}
        {!value && state === "failed" && <ErrorState what={t("alert.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.length === 0 && <EmptyState icon={<BellRing size={32} aria-hidden />} title={t("alert.none")} why={t("alert.noneWhy")} />}
        {waiting.length > 0 && (
          <Section title={t("alert.waiting")}>
            <ul role="list">
              {waiting.map((alert) => (
                <AlertRow key={alert.id} alert={alert} />
              ))}
            </ul>
          </Section>
        )}
        {fired.length > 0 && (
          <Section title={t("alert.over")}>
            <ul role="list">
              {fired.map((alert) => (
                <AlertRow key={alert.id} alert={alert} />
              ))}
            </ul>
          </Section>
        )}
      </div>
    </Screen>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { t, i18n } = useTranslation();
  const { leaving, withdraw } = useAlertWithdrawal();
  const instrument = useInstruments()?.byCode.get(alert.code);
  const name = instrument ? shortName(instrument, i18n.language) : alert.code;
  const condition = alertCondition(alert, instrument, t);
  return (
    <li className={styles.row}>
      <Link to={instrument ? ownPath(instrument) : detailPath(alert.code)} className={styles.link ?? ""}>
        <span className={styles.texts}>
          <span className={styles.name}>
            {name} <span className={styles.code}>{alert.code}</span>
          </span>
          <span className={styles.condition}>{condition}</span>
          {alert.firedAt !== null && <span className={styles.when}>{t("alert.firedAt", { time: formatDateTime(alert.firedAt) })}</span>}
        </span>
        <span className={styles.price}>
          <QuoteCell code={alert.code} field="last" className={styles.last} />
          <QuoteCell code={alert.code} field="percent" className={styles.change} />
        </span>
      </Link>
      {alert.status === "waiting" && (
        <Button
          tone="quiet"
          busy={leaving(alert.id)}
          aria-label={t("alert.withdrawOne", { name, condition })}
          onClick={() => void withdraw(alert.id)}
        >
          {t("alert.withdraw")}
        </Button>
      )}
    </li>
  );
}
