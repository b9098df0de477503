/** The totals of a ticket: cost or proceeds, available money, fee and tax. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { lotsOf } from "./draft.ts";
import type { TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

/** The lines between the fields and the button. The lock-up and the margin prices are in the review, where there is room. */
export function Totals({ model }: { model: TicketModel }) {
  // While everything is locked, the notice below says why there is nothing to estimate.
  if (model.intent.nothing || model.locked) return null;
  return model.intent.closes ? <ClosingTotals model={model} /> : <OpeningTotals model={model} />;
}

function OpeningTotals({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { estimate, member, draft, intent } = model;
  const isShort = intent.direction === "fall";
  const exact = !isShort && (draft.pricing === "limit" || draft.market === "fixed");
  return (
    <div className={styles.totals}>
      <dl>
        <Main
          model={model}
          label={t(isShort ? "ticket.totalFall" : "ticket.total")}
          prefix={!exact && estimate ? t("ticket.upTo") : null}
          amount={estimate?.neededCents ?? null}
        />
        <div>
          <dt>{t("ticket.available")}</dt>
          <dd>{formatMoney(member?.availableCents)}</dd>
          {model.proceedsCents > 0 && (
            <>
              <dt>{t("ticket.daySales")}</dt>
              <dd>{formatMoney(model.proceedsCents)}</dd>
            </>
          )}
          <dt>{estimate && estimate.taxCents > 0 ? t("ticket.feeAndTax") : t("ticket.fee")}</dt>
          <dd>{estimate ? formatMoney(estimate.feeCents + estimate.taxCents) : "--"}</dd>
        </div>
        {intent.funding !== "cash" && <Borrowed model={model} />}
      </dl>
    </div>
  );
}

/** The prominent line: what the order costs or brings. */
function Main({ model, label, prefix, amount }: { model: TicketModel; label: string; prefix: string | null; amount: number | null }) {
  const units = useUnits();
  const { member, draft, lotShares, quantum } = model;
  return (
    <div data-main>
      <dt>
        {label}
        <small> {units((lotsOf(draft, quantum.per) ?? 0) * lotShares, { lotShares: 1, unitsPerWhole: quantum.per })}</small>
      </dt>
      <dd>
        {prefix && <small>{prefix} </small>}
        {member?.currency ?? ""} {amount === null ? "--" : formatMoney(amount)}
      </dd>
    </div>
  );
}

function ClosingTotals({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { plan, draft } = model;
  const closing = plan?.closing ?? null;
  return (
    <div className={styles.totals}>
      <dl>
        <Main
          model={model}
          label={t("trade.proceeds")}
          prefix={draft.pricing === "market" && closing ? "≈" : null}
          amount={closing?.proceedsCents ?? null}
        />
        <div>
          <dt>{t("trade.profit")}</dt>
          <dd>
            {closing ? (
              <Direction trend={trendOf(closing.profitCents)} text={formatMoney(closing.profitCents, "always")} arrow={false} />
            ) : (
              "--"
            )}
          </dd>
          <dt>{t("ticket.feeAndTax")}</dt>
          <dd>{closing ? formatMoney(closing.feeCents + closing.taxCents) : "--"}</dd>
        </div>
      </dl>
    </div>
  );
}

/** The loan, and the liquidation price. */
function Borrowed({ model: { estimate, liquidation, ladder, intent } }: { model: TicketModel }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{t("ticket.loan")}</dt>
      <dd>{estimate ? formatMoney(estimate.loanCents) : "--"}</dd>
      {intent.funding === "leverage" && (
        <>
          <dt>{t("ticket.liquidation")}</dt>
          <dd>{formatPrice(liquidation, ladder.decimals)}</dd>
        </>
      )}
    </div>
  );
}
