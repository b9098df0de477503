/** The order review: every value, the risks, and a confirmation that a double tap cannot trigger. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, grouped } from "#contract/kernel/money.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { fundingWord } from "./choices.ts";
import { Confirmation } from "./confirmation.tsx";
import { MaintenanceWhy, useMaintenanceFields } from "./maintenance.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useEntryWord, useFundingWord, useLockRule, useTriggerWord } from "./words.ts";
import styles from "./ticket.module.css";

type Body = NonNullable<TicketModel["request"]["body"]>;

/** Whether what is reviewed is what it comes to, and not only the most it may come to. */
const hasExactTotal = ({ direction, price, market }: Body): boolean => direction === "rise" && (price !== null || market === "fixed");

/** The fields of what is ordered. */
function useOrderFields(model: TicketModel): (body: Body) => Field[] {
  const { t } = useTranslation();
  const units = useUnits();
  const fundingLabel = useFundingWord();
  const triggerLabel = useTriggerWord();
  const entryLabel = useEntryWord();
  const { instrument, ladder, code, lotShares } = model;
  return (body) => {
    const price =
      body.price === null
        ? t(body.market === "fixed" ? "ticket.atClose" : "ticket.atMarket")
        : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`;
    const { lots } = body;
    const size = lotShares === 1 ? units(lots, 1) : t("ticket.lotsAndShares", { n: lots, shares: grouped(String(lots * lotShares)) });
    const exits = body.exits ?? [];
    const funding = body.funding ?? "cash";
    return [
      {
        label: t("ticket.direction"),
        value: <strong data-trend={body.direction === "rise" ? "up" : "down"}>{t(`ticket.${body.direction}`)}</strong>,
      },
      { label: t("ticket.instrument"), value: instrument ? `${code} ${fullName(instrument)}` : code },
      ...(body.market === "board" ? [] : [{ label: t("ticket.atTitle"), value: t(`ticket.at.${body.market ?? "board"}`) }]),
      ...(body.trigger ? [{ label: t("ticket.entryTitle"), value: entryLabel(body.trigger, ladder.decimals) }] : []),
      { label: t("ticket.price"), value: `${price} · ${t(`ticket.validity.${body.validity ?? "rod"}`)}` },
      { label: t(lotShares === 1 ? "ticket.oddShares" : "ticket.lots"), value: size },
      ...(funding === "cash" && !body.dayTrade
        ? []
        : [
            {
              label: t("ticket.fundingTitle"),
              value: [
                fundingLabel(fundingWord({ funding, leverage: body.leverage ?? 1 })),
                ...(body.dayTrade ? [t("ticket.dayTrade")] : []),
              ].join(" · "),
            },
          ]),
      ...(exits.length === 0
        ? []
        : [{ label: t("ticket.exitsTitle"), value: exits.map((exit) => triggerLabel(exit, ladder.decimals)).join(" · ") }]),
    ];
  };
}

/** The fields of cost, loan and risk. */
function useCostFields(model: TicketModel): (body: Body) => Field[] {
  const { t } = useTranslation();
  const { estimate, liquidation, worst, ladder, rule, draft } = model;
  const maintenanceFields = useMaintenanceFields(model);
  return (body) => {
    if (!estimate) return [];
    // What is not bought at a limit may come to less, and a short's amounts are those of the highest price it can trade at.
    const bound = hasExactTotal(body) ? "" : `${t("ticket.upTo")} `;
    const money = (label: string, amount: number): Field => ({ label, value: `${bound}${formatMoney(amount)}` });
    const borrows = draft.funding !== "cash";
    return [
      money(t("ticket.value"), estimate.valueCents),
      ...(borrows && body.direction === "rise"
        ? [
            money(t("ticket.own"), estimate.valueCents - estimate.loanCents),
            {
              label: t("ticket.loan"),
              value: t("ticket.loanAt", { amount: formatMoney(estimate.loanCents), rate: (rule?.interestPerMillion ?? 0) / 10_000 }),
            },
          ]
        : []),
      money(t("ticket.fee"), estimate.feeCents),
      ...(body.direction === "fall"
        ? [money(t("ticket.tax"), estimate.taxCents), money(t("ticket.collateral"), estimate.collateralCents)]
        : []),
      ...(liquidation === null
        ? []
        : [
            {
              label: t("ticket.liquidation"),
              value: <strong>{`${body.price === null ? "≈ " : ""}${formatPrice(liquidation, ladder.decimals)}`}</strong>,
            },
          ]),
      ...maintenanceFields(body.price === null ? "≈ " : ""),
      ...(worst === null
        ? []
        : [
            {
              label: t("ticket.worst", { price: formatPrice(worst.at, ladder.decimals) }),
              value: formatMoney(0 - worst.lossCents),
            },
          ]),
    ];
  };
}

/** The page between the form and sending. */
export function TicketReview({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const lockRule = useLockRule();
  const orderFields = useOrderFields(model);
  const costFields = useCostFields(model);
  const { request, draft, estimate, member, readAt, ladder, code, tradable, lockSeconds, slides } = model;
  const { body } = request;
  if (!body) return null;
  const fields = [...orderFields(body), ...costFields(body)];
  const exact = hasExactTotal(body);
  const lock = lockRule(lockSeconds, draft.direction);
  return (
    <div className={styles.review}>
      {(body.direction === "fall" || body.funding !== "cash") && <RiskNotice />}
      <FieldList fields={fields} />
      <p className={styles.due}>
        <span>{body.direction === "fall" ? t("ticket.totalFall") : t("ticket.total")}</span>
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
      {model.maintenance && (
        <p className={styles.hint}>
          <MaintenanceWhy model={model} />
        </p>
      )}
      {body.trigger ? (
        <p className={styles.hint}>{t("ticket.waitsDay")}</p>
      ) : (
        body.validity === "rod" && body.pricing === "limit" && <p className={styles.hint}>{t("ticket.goodForDay")}</p>
      )}
      <Confirmation
        request={request}
        label={t(body.direction === "rise" ? "ticket.confirmRise" : "ticket.confirmFall")}
        tone={body.direction === "rise" ? "up" : "down"}
        slides={slides}
        tradable={tradable}
        reading={readAt?.price ?? 0}
        onConfirm={model.confirm}
      />
    </div>
  );
}
