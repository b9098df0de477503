/** The wide header's live figures: the market index and the member's total assets. */
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { auditTime } from "rxjs";
import { formatMoney } from "#contract/kernel/money.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { liveOverview, useMember } from "#src/streams/member.ts";
import { profitTotal$ } from "#src/streams/profits.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import styles from "./app.module.css";

/** The weighted index of the main board. */
const TAIEX = "IX0001";
const slowly$ = profitTotal$.pipe(auditTime(1000));

export function WideFacts() {
  const { t } = useTranslation();
  const { value } = useMember();
  // Renders again once the names are there.
  useInstruments();
  const index = instrumentOf(TAIEX);
  const sum = useObservableState(slowly$, null);
  return (
    <p className={styles.facts}>
      <span>
        {index && shortName(index)} <QuoteCell code={TAIEX} field="last" as="b" /> <QuoteCell code={TAIEX} field="percent" />
      </span>
      {value && (
        <span>
          {t("app.total")} <b>{formatMoney(liveOverview(value, sum).totalCents)}</b>
        </span>
      )}
    </p>
  );
}
