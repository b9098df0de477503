/** The totals of a ticket: cost, available money, fee, tax, and the lock-up period. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { lotsOf } from "./draft.ts";
import { useMaintenanceFields } from "./maintenance.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useLockRule } from "./words.ts";
import styles from "./ticket.module.css";

/** The lines between the fields and the button; `brief` leaves out the lock-up rule, which does not depend on what is typed. */
export function Totals({ model, brief }: { model: TicketModel; brief: boolean }) {
  const { t } = useTranslation();
  const lockRule = useLockRule();
  const units = useUnits();
  const { estimate, member, draft, lotShares, lockSeconds } = model;
  const exact = draft.direction === "rise" && (draft.pricing === "limit" || draft.market === "fixed");
  const shares = (lotsOf(draft) ?? 0) * lotShares;
  const lock = lockRule(lockSeconds, draft.direction);
  // The ratio is shown in the review; here is room for the prices only.
  const maintenanceFields = useMaintenanceFields(model)("");
  return (
    <div className={styles.totals}>
      <dl>
        <div data-main>
          <dt>
            {draft.direction === "fall" ? t("ticket.totalFall") : t("ticket.total")}
            <small> {units(shares, 1)}</small>
          </dt>
          <dd>
            {!exact && estimate && <small>{t("ticket.upTo")} </small>}
            {member?.currency ?? ""} {estimate ? formatMoney(estimate.neededCents) : "--"}
          </dd>
        </div>
        <div>
          <dt>{t("ticket.available")}</dt>
          <dd>{formatMoney(member?.availableCents)}</dd>
          <dt>{estimate && estimate.taxCents > 0 ? t("ticket.feeAndTax") : t("ticket.fee")}</dt>
          <dd>{estimate ? formatMoney(estimate.feeCents + estimate.taxCents) : "--"}</dd>
        </div>
        {draft.funding !== "cash" && <Borrowed model={model} />}
        {maintenanceFields.length > 0 && (
          <div>
            {maintenanceFields.slice(1).map(({ label, value }) => (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </div>
        )}
      </dl>
      {lock && !brief && <p>{lock}</p>}
    </div>
  );
}

/** The loan, and the liquidation price. */
function Borrowed({ model: { estimate, liquidation, ladder, draft } }: { model: TicketModel }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{t("ticket.loan")}</dt>
      <dd>{estimate ? formatMoney(estimate.loanCents) : "--"}</dd>
      {draft.funding === "leverage" && (
        <>
          <dt>{t("ticket.liquidation")}</dt>
          <dd>{formatPrice(liquidation, ladder.decimals)}</dd>
        </>
      )}
    </div>
  );
}
