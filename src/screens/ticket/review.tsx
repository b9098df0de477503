/** The review of an order that opens a position: every value, the risks, and a confirmation that a double tap cannot trigger. */
import { sizeLabel } from "#src/screens/quote/units.ts";
import { useTranslation } from "react-i18next";
import { borrowFeeOf } from "#contract/lending-fee.ts";
import { formatMoney, formatPrice, formatRate, grouped } from "#contract/kernel/money.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useNextVoucher } from "#src/streams/rewards.ts";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { fundingWord } from "./choices.ts";
import { CloseReview } from "./close-review.tsx";
import { Confirmation } from "./confirmation.tsx";
import { Reserved } from "./effect.tsx";
import { Moved, PriceNow } from "./price-now.tsx";
import { SquareOff } from "./square-off.tsx";
import { StepHeading } from "./step-heading.tsx";
import { MaintenanceWhy, useMaintenanceFields } from "./maintenance.tsx";
import { TONES } from "./tones.ts";
import type { TicketModel } from "./use-ticket.ts";
import { useDayTradeWord, useEntryWord, useFundingWord, useLockRule, useTriggerWord } from "./words.ts";
import styles from "./ticket.module.css";

type Body = NonNullable<TicketModel["opening"]>;

const actOf = ({ direction }: Body): "buy" | "short" => (direction === "rise" ? "buy" : "short");

/** Whether what is reviewed is what it comes to, and not only the most it may come to. */
const hasExactTotal = ({ direction, price, market }: Body): boolean => direction === "rise" && (price !== null || market === "fixed");

/** The fields of what is ordered. */
function useOrderFields(model: TicketModel): (body: Body) => Field[] {
  const { t } = useTranslation();
  const units = useUnits();
  const fundingLabel = useFundingWord();
  const dayTradeLabel = useDayTradeWord();
  const triggerLabel = useTriggerWord();
  const entryLabel = useEntryWord();
  const { instrument, ladder, code, lotShares, quantum } = model;
  return (body) => {
    const price =
      body.price === null
        ? t(body.market === "fixed" ? "ticket.atClose" : "ticket.atMarket")
        : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`;
    const { lots } = body;
    const size =
      lotShares === 1
        ? units(lots, { lotShares, unitsPerWhole: quantum.per })
        : t("ticket.lotsAndShares", { n: lots, shares: grouped(String(lots * lotShares)) });
    const exits = body.exits ?? [];
    const funding = body.funding ?? "cash";
    return [
      {
        label: t("ticket.direction"),
        value: <strong data-trend={TONES[actOf(body)]}>{t(`ticket.act.${actOf(body)}`)}</strong>,
      },
      { label: t("ticket.instrument"), value: instrument ? `${code} ${fullName(instrument)}` : code },
      ...(body.market === "board" ? [] : [{ label: t("ticket.atTitle"), value: t(`ticket.at.${body.market ?? "board"}`) }]),
      ...(body.trigger ? [{ label: t("ticket.entryTitle"), value: entryLabel(body.trigger, ladder.decimals) }] : []),
      { label: t("ticket.price"), value: `${price} · ${t(`ticket.validity.${body.validity ?? "rod"}`)}` },
      { label: t(sizeLabel({ lotShares, unitsPerWhole: quantum.per })), value: size },
      ...(funding === "cash" && !body.dayTrade
        ? []
        : [
            {
              label: t("ticket.fundingTitle"),
              value: [
                ...(funding === "cash" ? [] : [fundingLabel(fundingWord({ funding, leverage: body.leverage ?? 1 }))]),
                ...(body.dayTrade ? [dayTradeLabel({ funding })] : []),
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
  const { estimate, liquidation, worst, ladder, rule, proceedsCents, member } = model;
  const maintenanceFields = useMaintenanceFields(model);
  const voucher = useNextVoucher();
  return (body) => {
    if (!estimate) return [];
    // What is not bought at a limit may come to less, and a short's amounts are those of the highest price it can trade at.
    const bound = hasExactTotal(body) ? "" : `${t("ticket.upTo")} `;
    const money = (label: string, amount: number): Field => ({ label, value: `${bound}${formatMoney(amount)}` });
    const fromSales = Math.min(proceedsCents, estimate.neededCents - (member?.availableCents ?? 0));
    const borrows = body.funding !== undefined && body.funding !== "cash";
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
      ...(fromSales > 0 ? [money(t("ticket.fromSales"), fromSales)] : []),
      ...(voucher && estimate.feeCents > 0
        ? [{ label: t("order.voucher"), value: `${t("ticket.upTo")} ${formatMoney(0 - Math.min(voucher.faceCents, estimate.feeCents))}` }]
        : []),
      ...(body.direction === "fall"
        ? [
            money(t("ticket.tax"), estimate.taxCents),
            money(t("ticket.collateral"), estimate.collateralCents),
            ...(rule
              ? [
                  {
                    label: t("ticket.borrowFee"),
                    value: t("ticket.borrowFeeAt", {
                      amount: formatMoney(borrowFeeOf(rule.borrowPerMillion, estimate.valueCents, 1)),
                      rate: formatRate(rule.borrowPerMillion),
                    }),
                  },
                ]
              : []),
            // Named and counted as on the position.
            money(t("order.proceedsKept"), estimate.valueCents),
          ]
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
  const { closing, plan, ladder, readAt, request, slides, tradable, confirm, reservesFor } = model;
  if (closing) return <CloseReview body={closing} {...{ plan, ladder, readAt, request, slides, tradable, confirm, reservesFor }} />;
  return model.opening && <OpeningReview model={model} body={model.opening} />;
}

/** That the order opens a short, in words, with what it puts at stake. */
function ShortNotice({ model: { estimate }, body }: { model: TicketModel; body: Body }) {
  const { t } = useTranslation();
  if (body.direction === "rise") return <RiskNotice />;
  return (
    <RiskNotice>
      {t(body.dayTrade ? "ticket.shortNotice.dayTrade" : "ticket.shortNotice.short", { amount: formatMoney(estimate?.collateralCents) })}
    </RiskNotice>
  );
}

function OpeningReview({ model, body }: { model: TicketModel; body: Body }) {
  const { t } = useTranslation();
  const lockRule = useLockRule();
  const orderFields = useOrderFields(model);
  const costFields = useCostFields(model);
  const { request, readAt, tradable, lockSeconds, slides, instrument, code } = model;
  const act = actOf(body);
  const lock = lockRule(lockSeconds, body.direction);
  return (
    <div className={styles.review}>
      <StepHeading className={styles.step}>
        {t("ticket.step.review", { act: t(`ticket.act.${act}`), what: instrument ? `${code} ${fullName(instrument)}` : code })}
      </StepHeading>
      {(body.direction === "fall" || body.funding !== "cash") && <ShortNotice model={model} body={body} />}
      <FieldList fields={[...orderFields(body), ...costFields(body)]} />
      <PriceNow code={code} />
      <Reserved until={model.reservesFor} />
      {lock && <p className={styles.hint}>{lock}</p>}
      {body.dayTrade && (
        <p className={styles.hint}>
          <SquareOff />
        </p>
      )}
      {model.maintenance && (
        <p className={styles.hint}>
          <MaintenanceWhy model={model} />
        </p>
      )}
      {body.trigger ? (
        <p className={styles.hint}>{t("ticket.waitsDay")}</p>
      ) : (
        body.validity === "rod" &&
        body.pricing === "limit" &&
        model.reservesFor === null && <p className={styles.hint}>{t("ticket.goodForDay")}</p>
      )}
      <Confirmation
        request={request}
        total={
          <>
            <Moved readAt={readAt} ladder={model.ladder} />
            <Total model={model} body={body} />
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

function Total({ model: { estimate, member }, body }: { model: TicketModel; body: Body }) {
  const { t } = useTranslation();
  return (
    <p className={styles.due}>
      <span>{t(body.direction === "fall" ? "ticket.totalFall" : "ticket.total")}</span>
      <strong>
        {!hasExactTotal(body) && <small>{t("ticket.upTo")} </small>}
        {member?.currency ?? ""} {formatMoney(estimate?.neededCents)}
      </strong>
    </p>
  );
}
