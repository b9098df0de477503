/** A conversion quote while its time runs, after it, while it is being accepted, and the finished conversion. */
import { useTranslation } from "react-i18next";
import type { Conversion, ConversionRate } from "#contract/conversion.ts";
import { formatMoney, formatRate } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { ConversionRequest } from "#src/actors/conversion.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { useSecondsLeft } from "./seconds-left.ts";
import styles from "./money.module.css";

const rateText = ({ base, counter, rate }: ConversionRate, of: string = rate): string => `1 ${base} = ${of} ${counter}`;

export function LiveQuoteCard({ request }: { request: ConversionRequest }) {
  const { t } = useTranslation();
  const { quote, state, refusal } = request;
  const left = useSecondsLeft(quote?.quoteId ?? "", quote?.lifetimeMs ?? 0);
  if (!quote) return null;
  const { from, to, fromCents, toCents, rate, spreadPerMillion, rounding, side } = quote.shown;
  return (
    <Card label={t("conversion.quote")}>
      <div className={styles.quote} data-ended={state === "expired" || undefined}>
        <p className={styles.deal}>
          <span>
            {t("conversion.youGive")} <strong>{`${formatMoney(fromCents)} ${from}`}</strong>
          </span>
          <span>
            {t("conversion.youGet")} <strong>{`${formatMoney(toCents)} ${to}`}</strong>
          </span>
        </p>
        <FieldList
          fields={[
            { label: t("conversion.rate"), value: rateText(rate) },
            { label: t("conversion.mid"), value: rateText(rate, rate.mid) },
            { label: t("conversion.spread"), value: formatRate(spreadPerMillion) },
            { label: t("conversion.rounding"), value: `${rounding} ${side === "sell" ? to : from}` },
          ]}
        />
        {state === "quoted" && (
          <p className={styles.clock} role="timer">
            {t("conversion.lockedFor", { count: left })}
          </p>
        )}
        {state === "expired" && (
          <p className={styles.trouble} role="alert">
            {refusal ? refusalTextNow(refusal) : t("conversion.expired")}
          </p>
        )}
        {state === "unknown" && (
          <p className={styles.clock} role="status">
            {t("conversion.checking")}
          </p>
        )}
        {state === "expired" ? (
          <Button tone="primary" size="large" block onClick={request.askAgain}>
            {t("conversion.askAgain")}
          </Button>
        ) : (
          <Button tone="primary" size="large" block busy={state !== "quoted"} onClick={request.accept}>
            {t("conversion.accept")}
          </Button>
        )}
        {(state === "quoted" || state === "expired") && (
          <Button tone="quiet" block onClick={request.edit}>
            {t("conversion.change")}
          </Button>
        )}
      </div>
    </Card>
  );
}

export function ConversionResult({ conversion, onAgain }: { conversion: Conversion; onAgain: () => void }) {
  const { t } = useTranslation();
  const { from, to, fromCents, toCents, rate, at } = conversion;
  return (
    <Card label={t("conversion.done")}>
      <div className={styles.quote}>
        <h2 role="status">{t("conversion.done")}</h2>
        <FieldList
          fields={[
            { label: t("conversion.youGave"), value: `${formatMoney(fromCents)} ${from}` },
            { label: t("conversion.youGot"), value: `${formatMoney(toCents)} ${to}` },
            { label: t("conversion.rate"), value: rateText(rate) },
            { label: t("wallet.time"), value: formatDateTime(at) },
          ]}
        />
        <Button tone="primary" size="large" block onClick={onAgain}>
          {t("conversion.again")}
        </Button>
        <ButtonLink tone="quiet" block to="/information/payBag">
          {t("wallet.title")}
        </ButtonLink>
      </div>
    </Card>
  );
}
