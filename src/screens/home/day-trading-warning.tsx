/** The member's loss warning level for open day trades, in percent of the amount invested. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayTrading } from "#contract/day-trading.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { takeDayTrading } from "#src/streams/day-trading.ts";
import { Button } from "#src/ui/button.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./trading.module.css";

const FIELDS = ["percent"] as const;
const MAX_PERCENT = 90;

export function DayWarning({ known }: { known: DayTrading }) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(known.warningPercent));
  const request = useRequest("setDayTradingWarning", {
    fields: FIELDS,
    onAccepted: (answer) => {
      takeDayTrading(answer);
      showToast(t("operation.OP_SAVE_OK"), "success");
    },
  });
  const type = (next: string): void => {
    setText(next);
    request.edit("percent");
  };
  const submit = (): void => request.submit({ percent: /^\d+$/.test(text.trim()) ? Number(text) : null });
  return (
    <Section title={t("dayTrading.warning")} inset>
      <Card label={t("dayTrading.warning")}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <NumberStepper
            label={t("dayTrading.percent")}
            value={text}
            inputMode="numeric"
            error={request.errorAt("percent")}
            hint={t("dayTrading.percentHint")}
            onType={type}
            onStep={(by, steps) => type(String(Math.min(MAX_PERCENT, Math.max(1, (Number(text) || 0) + by * steps))))}
            onDone={submit}
          />
          <RequestError request={request} />
          <Button type="submit" busy={request.busy}>
            {t("watchlist.save")}
          </Button>
        </form>
      </Card>
    </Section>
  );
}
