/** The review: every value once more, the risk where there is one, and a confirmation that no double tap can fall through. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, grouped } from "#contract/kernel/money.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { Confirmation } from "./confirmation.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useLockRule } from "./words.ts";
import styles from "./ticket.module.css";

function useFields(model: TicketModel): Field[] {
  const { t } = useTranslation();
  const { instrument, estimate, ladder, code } = model;
  const { body } = model.request;
  if (!body || !instrument) return [];
  const shares = grouped(String(body.lots * instrument.lotShares));
  const fields: Field[] = [
    {
      label: t("ticket.direction"),
      value: <strong data-trend={body.direction === "rise" ? "up" : "down"}>{t(`ticket.${body.direction}`)}</strong>,
    },
    { label: t("ticket.instrument"), value: `${code} ${fullName(instrument)}` },
    {
      label: t("ticket.price"),
      value: body.price === null ? t("ticket.atMarket") : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`,
    },
    { label: t("ticket.lots"), value: t("ticket.lotsAndShares", { n: body.lots, shares }) },
  ];
  if (!estimate) return fields;
  fields.push(
    { label: t("ticket.value"), value: formatMoney(estimate.valueCents) },
    { label: t("ticket.fee"), value: formatMoney(estimate.feeCents) },
  );
  if (body.direction === "fall") {
    fields.push(
      { label: t("ticket.tax"), value: formatMoney(estimate.taxCents) },
      { label: t("ticket.collateral"), value: formatMoney(estimate.collateralCents) },
    );
  }
  return fields;
}

/** The page between the form and the sending. */
export function TicketReview({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const lockRule = useLockRule();
  const { request, draft, estimate, instrument, member, readAt, ladder, code, tradable } = model;
  const fields = useFields(model);
  const { body } = request;
  const exact = body?.price !== null && body?.direction === "rise";
  const lock = instrument ? lockRule(instrument.sellLockSeconds, draft.direction) : null;
  return (
    <div className={styles.review}>
      <FieldList fields={fields} />
      <p className={styles.due}>
        <span>{body?.direction === "fall" ? t("ticket.totalFall") : t("ticket.total")}</span>
        <strong>
          {!exact && <small>{t("ticket.upTo")} </small>}
          {member?.currency ?? ""} {formatMoney(estimate?.neededCents)}
        </strong>
      </p>
      <p className={styles.due}>
        <span>{t("ticket.priceNow")}</span>
        <QuoteCell code={code} field="last" />
      </p>
      {readAt?.was !== null && readAt !== null && (
        <p className={styles.problem} role="alert" data-tone="warn">
          {t("ticket.moved", { was: formatPrice(readAt.was, ladder.decimals), now: formatPrice(readAt.price, ladder.decimals) })}
        </p>
      )}
      {lock && <p className={styles.hint}>{lock}</p>}
      {body?.pricing === "limit" && <p className={styles.hint}>{t("ticket.goodForDay")}</p>}
      {body?.direction === "fall" && <RiskNotice />}
      {body && (
        <Confirmation
          request={request}
          label={t(body.direction === "rise" ? "ticket.confirmRise" : "ticket.confirmFall")}
          tone={body.direction === "rise" ? "up" : "down"}
          slides={body.price === null || body.direction === "fall"}
          tradable={tradable}
          reading={readAt?.price ?? 0}
          onConfirm={model.confirm}
        />
      )}
    </div>
  );
}
