/** A strategy on past prices: asked for by a button, shown beside what having held would have brought. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Code } from "#contract/kernel/id.ts";
import { formatGain, formatPrice, formatRate, formatTwd } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { LEARNED_FEATURES } from "#contract/strategy.ts";
import type { Backtest, Strategy } from "#contract/strategy.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { Button } from "#src/ui/button.tsx";
import { Folded } from "#src/ui/folded-table.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { RequestError } from "./request-error.tsx";
import { BacktestCurve } from "./strategy-curve.tsx";
import { wholeNumber } from "./whole-number.ts";
import styles from "./fund.module.css";

const FIRST_AMOUNT = "500,000";
const MILLE = 1_000;

export function BacktestForm({ strategy, code }: { strategy: Strategy; code: Code | null }) {
  const { t } = useTranslation();
  // The last result stays while another is computed.
  const [result, setResult] = useState<Backtest | null>(null);
  const request = useRequest("readBacktest", { fields: ["amount"], onAccepted: setResult });
  const { values, field, form } = useFields({ amount: FIRST_AMOUNT }, request);
  return (
    <div className={styles.form}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit({ strategy, code, amount: wholeNumber(values.amount) });
        }}
      >
        <TextField
          {...field("amount")}
          label={t("strategy.field.testAmount")}
          hint={t("strategy.testHint")}
          inputMode="numeric"
          autoComplete="off"
        />
        <RequestError request={request} />
        <Button type="submit" block busy={request.busy}>
          {t("strategy.test")}
        </Button>
      </form>
      {result && <Result result={result} />}
    </div>
  );
}

function Result({ result }: { result: Backtest }) {
  const { t } = useTranslation();
  return (
    <Card label={t("strategy.result")}>
      <p className={styles.strong} role="status">
        {t("strategy.past", { from: formatDate(result.curve[0] ?? 0) })}
      </p>
      <BacktestCurve result={result} />
      <FieldList
        fields={[
          // The field above may hold another amount by now.
          { label: t("strategy.field.tested"), value: formatTwd(result.amountCents) },
          { label: t("strategy.field.profit"), value: formatGain(result.profitCents) },
          { label: t("strategy.field.heldProfit"), value: formatGain(result.heldProfitCents) },
          { label: t("strategy.field.drawdown"), value: formatRate(result.drawdownPerMillion) },
          { label: t("strategy.field.heldDrawdown"), value: formatRate(result.heldDrawdownPerMillion) },
          { label: t("strategy.field.costs"), value: formatTwd(result.costCents) },
          { label: t("strategy.field.sales"), value: t("strategy.gainsOf", { gains: result.gains, count: result.sales }) },
        ]}
      />
      {result.weights && <Learned weights={result.weights} said={result.said} />}
      <Trades result={result} />
    </Card>
  );
}

/** What the learned rule weighs, and how often it was right on days that it had not learned from. */
function Learned({ weights, said }: { weights: readonly number[]; said: Backtest["said"] }) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className={styles.name}>{t("strategy.learned")}</h3>
      {said && <p className={styles.note}>{t("strategy.said", { right: said.right, count: said.rises })}</p>}
      <FieldList
        fields={LEARNED_FEATURES.map((feature, nth) => ({
          label: t(`strategy.feature.${feature}`),
          value: ((weights[nth] ?? 0) / MILLE).toFixed(3).replace("-", "−"),
        }))}
      />
      <p className={styles.note}>{t("strategy.weights")}</p>
    </>
  );
}

function Trades({ result: { trades } }: { result: Backtest }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  if (trades.length === 0) return <p className={styles.note}>{t("strategy.noTrades")}</p>;
  return (
    <Folded title={t("strategy.latestTrades")}>
      <FieldList
        fields={trades.map(({ at, side, code, lots, price }) => ({
          label: `${formatDate(at)} ${nameOf(code)}`,
          value: t(`strategy.kind.${side}`, { count: lots, price: formatPrice(price) }),
        }))}
      />
    </Folded>
  );
}
