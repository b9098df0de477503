/** The review of an order that closes a position: what is sold or bought back, and what it brings. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, grouped } from "#contract/kernel/money.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { Confirmation } from "./confirmation.tsx";
import { Moved, PriceNow } from "./price-now.tsx";
import { StepHeading } from "./step-heading.tsx";
import { TONES } from "./tones.ts";
import type { TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

type Body = NonNullable<TicketModel["closing"]>;

export function CloseReview({ model, body }: { model: TicketModel; body: Body }) {
  const { t } = useTranslation();
  const { request, readAt, tradable, slides, instrument, code, proceeds, member } = model;
  const act = body.direction === "rise" ? "sell" : "cover";
  const money = (amount: number | undefined): string => (proceeds ? formatMoney(amount) : "--");
  return (
    <div className={styles.review}>
      <StepHeading className={styles.step}>
        {t("ticket.step.review", { act: t(`ticket.act.${act}`), what: instrument ? `${code} ${fullName(instrument)}` : code })}
      </StepHeading>
      <FieldList
        fields={[
          ...useFields(model, body),
          { label: t("ticket.fee"), value: money(proceeds?.feeCents) },
          { label: t("ticket.tax"), value: money(proceeds?.taxCents) },
        ]}
      />
      <PriceNow code={code} />
      <p className={styles.hint}>{t("ticket.fifo")}</p>
      <Confirmation
        request={request}
        total={
          <>
            <Moved model={model} />
            <p className={styles.due}>
              <span>{t("trade.proceeds")}</span>
              <strong>
                {body.pricing === "market" && <small>≈ </small>}
                {member?.currency ?? ""} {money(proceeds?.proceedsCents)}
              </strong>
            </p>
          </>
        }
        label={t(`ticket.confirm.${act}`)}
        tone={TONES[act]}
        slides={slides}
        tradable={tradable}
        reading={readAt?.price ?? 0}
        onConfirm={model.confirm}
      />
    </div>
  );
}

function useFields({ ladder, lotShares, closable, proceeds, intent }: TicketModel, body: Body) {
  const { t } = useTranslation();
  const units = useUnits();
  const act = body.direction === "rise" ? "sell" : "cover";
  const lots = body.shares / lotShares;
  const price =
    body.price === null
      ? t(body.fixed ? "ticket.atClose" : "ticket.atMarket")
      : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`;
  const profit = proceeds && (
    <Direction trend={trendOf(proceeds.profitCents)} text={formatMoney(proceeds.profitCents, "always")} arrow={false} />
  );
  return [
    {
      label: t("ticket.direction"),
      value: (
        <strong data-trend={TONES[act]}>
          {t(`ticket.act.${act}`)} · {t(`ticket.kind.${intent.kind}`)}
        </strong>
      ),
    },
    { label: t("ticket.price"), value: `${price} · ${t(`ticket.validity.${body.validity ?? "rod"}`)}` },
    {
      label: t(lotShares === 1 ? "ticket.oddShares" : "ticket.lots"),
      value: t("trade.lotsOf", { n: units(lots, lotShares), of: closable === null ? "--" : grouped(String(closable)) }),
    },
    { label: t("ticket.value"), value: proceeds ? formatMoney(proceeds.valueCents) : "--" },
    { label: t("trade.profit"), value: profit ?? "--" },
  ];
}
