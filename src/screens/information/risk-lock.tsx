/** The trading lock: for so many hours nothing is opened; it can be put off, never brought forward. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Risk } from "#contract/risk.ts";
import { useRequest } from "#src/actors/request.ts";
import { takeRisk } from "#src/streams/risk.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import styles from "./information.module.css";

const FIELDS = ["hours"] as const;
const USUAL_HOURS = "24";
const MOST_HOURS = 720;

export function RiskLock({ known }: { known: Risk }) {
  const { t } = useTranslation();
  const [text, setText] = useState(USUAL_HOURS);
  const [asks, setAsks] = useState(false);
  const request = useRequest("lockTrading", { fields: FIELDS, onAccepted: takeRisk });
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  const sensible = hours >= 1 && hours <= MOST_HOURS;
  const type = (next: string): void => {
    setText(next);
    request.edit("hours");
  };
  const trouble = request.errorOfForm ?? (request.state === "failed" ? t("operation.OP_SAVE_FAIL") : null);
  return (
    <Section title={t("risk.lock")} inset>
      <Card label={t("risk.lock")}>
        {known.lockedUntil !== null && (
          <p className={styles.trouble}>{t("risk.lockedUntil", { time: formatDateTime(known.lockedUntil) })}</p>
        )}
        <p className={styles.plain}>{t("risk.lockWhy")}</p>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (sensible) setAsks(true);
            else request.submit({ hours });
          }}
        >
          <NumberStepper
            label={t("risk.hours")}
            value={text}
            inputMode="numeric"
            error={request.errorAt("hours")}
            onType={type}
            onStep={(by, steps) => type(String(Math.min(MOST_HOURS, Math.max(1, hours + by * steps))))}
          />
          {trouble !== null && (
            <p className={styles.trouble} role="alert">
              {trouble}
            </p>
          )}
          <Button type="submit" tone="danger" busy={request.busy}>
            {t("risk.lockIt")}
          </Button>
        </form>
        <Alert
          open={asks}
          title={t("risk.lockTitle", { count: hours })}
          confirm={t("risk.lockIt")}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            request.submit({ hours });
          }}
        >
          <p>{t("risk.lockWhy")}</p>
        </Alert>
      </Card>
    </Section>
  );
}
