/** The review of a close, from whichever form: what is sold or bought back, from which orders, and what it brings. */
import { sizeLabel } from "#src/screens/quote/units.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, formatUnits } from "#contract/kernel/money.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { usePositionKind } from "#src/screens/quote/position-words.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import type { ClosingPlan } from "./closing.ts";
import { Confirmation } from "./confirmation.tsx";
import type { ConfirmationProps } from "./confirmation.tsx";
import type { Ladder } from "./draft.ts";
import { Reserved } from "./effect.tsx";
import { closingAct } from "./intent.ts";
import { Moved, PriceNow } from "./price-now.tsx";
import { StepHeading } from "./step-heading.tsx";
import { TONES } from "./tones.ts";
import type { CloseBody } from "./use-close-request.ts";
import type { ReviewedPrice } from "./use-reviewed-price.ts";
import styles from "./ticket.module.css";

export interface CloseReviewProps extends Pick<ConfirmationProps, "request" | "slides" | "tradable"> {
  body: CloseBody;
  /** What it comes to at the market's prices now; null once nothing is held. */
  plan: ClosingPlan | null;
  ladder: Ladder;
  readAt: ReviewedPrice | null;
  /** When it goes to the market; null for now. */
  reservesFor: number | null;
  confirm: () => void;
}

const amount = (known: number | undefined): string => (known === undefined ? "--" : formatMoney(known));

export function CloseReview({ body, plan, ladder, readAt, reservesFor, request, slides, tradable, confirm }: CloseReviewProps) {
  const { t } = useTranslation();
  const instrument = useInstruments()?.byCode.get(body.code);
  const currency = useMember().value?.currency ?? "";
  const act = closingAct(body);
  return (
    <div className={styles.review}>
      <StepHeading className={styles.step}>
        {t("ticket.step.review", { act: t(`ticket.act.${act}`), what: instrument ? `${body.code} ${fullName(instrument)}` : body.code })}
      </StepHeading>
      <FieldList fields={useFields(body, plan, ladder)} />
      <PriceNow code={body.code} />
      <Reserved until={reservesFor} />
      <Confirmation
        request={request}
        total={
          <>
            <Moved readAt={readAt} ladder={ladder} />
            <p className={styles.due}>
              <span>{t("trade.proceeds")}</span>
              <strong>
                {body.pricing === "market" && <small>≈ </small>}
                {currency} {amount(plan?.closing?.proceedsCents)}
              </strong>
            </p>
          </>
        }
        label={t(`ticket.confirm.${act}`)}
        tone={TONES[act]}
        slides={slides}
        tradable={tradable}
        reading={readAt?.price ?? 0}
        onConfirm={confirm}
      />
    </div>
  );
}

function useFields(body: CloseBody, plan: ClosingPlan | null, ladder: Ladder): Field[] {
  const { t } = useTranslation();
  const units = useUnits();
  const kindOf = usePositionKind();
  const costs = useClosingFields(plan);
  const act = closingAct(body);
  const price =
    body.price === null
      ? t(body.fixed ? "ticket.atClose" : "ticket.atMarket")
      : `${t("ticket.limit")} ${formatPrice(body.price, ladder.decimals)}`;
  const unitShares = plan?.unitShares ?? 1;
  const per = unitsPerWhole(ladder);
  const unit = { lotShares: unitShares, unitsPerWhole: per };
  const chosen = (body.orderNos ?? []).length > 0;
  const n = plan?.parts?.length ?? 0;
  return [
    {
      label: t("ticket.direction"),
      value: (
        <strong data-trend={TONES[act]}>
          {t(`ticket.act.${act}`)} · {kindOf(body)}
        </strong>
      ),
    },
    { label: t("ticket.price"), value: `${price} · ${t(`ticket.validity.${body.validity ?? "rod"}`)}` },
    {
      label: t(sizeLabel(unit)),
      value: t("trade.lotsOf", { n: units(body.shares / unitShares, unit), of: plan ? formatUnits(plan.most, per) : "--" }),
    },
    ...(chosen || n > 1 ? [{ label: t("trade.from"), value: t(chosen ? "trade.fromChosen" : "trade.fromOldest", { n }) }] : []),
    { label: t("ticket.value"), value: amount(plan?.closing?.valueCents) },
    ...costs,
  ];
}

/** What a close costs and earns, in the form and in the review; every order of it is charged its own fee. */
export function useClosingFields(plan: ClosingPlan | null): Field[] {
  const { t } = useTranslation();
  const closing = plan?.closing ?? null;
  const n = plan?.parts?.length ?? 0;
  return [
    { label: n > 1 ? t("trade.feeOfOrders", { n }) : t("ticket.fee"), value: amount(closing?.feeCents) },
    { label: t("ticket.tax"), value: amount(closing?.taxCents) },
    {
      label: t("trade.profit"),
      value: closing ? (
        <Direction trend={trendOf(closing.profitCents)} text={formatMoney(closing.profitCents, "always")} arrow={false} />
      ) : (
        "--"
      ),
    },
  ];
}
