/** The trading lock: no new positions for a number of hours; it can be extended, never shortened. */
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
const DEFAULT_HOURS = "24";
const MAX_HOURS = 720;

export function RiskLock({ known }: { known: Risk }) {
  const { t } = useTranslation();
  const [text, setText] = useState(DEFAULT_HOURS);
  const [confirming, setConfirming] = useState(false);
  const request = useRequest("lockTrading", { fields: FIELDS, onAccepted: takeRisk });
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  const valid = hours >= 1 && hours <= MAX_HOURS;
  const type = (next: string): void => {
    setText(next);
    request.edit("hours");
  };
  const formError = request.errorOfForm ?? (request.state === "failed" ? t("operation.OP_SAVE_FAIL") : null);
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
            if (valid) setConfirming(true);
            else request.submit({ hours });
          }}
        >
          <NumberStepper
            label={t("risk.hours")}
            value={text}
            inputMode="numeric"
            error={request.errorAt("hours")}
            onType={type}
            onStep={(by, steps) => type(String(Math.min(MAX_HOURS, Math.max(1, hours + by * steps))))}
          />
          {formError !== null && (
            <p className={styles.trouble} role="alert">
              {formError}
            </p>
          )}
          <Button type="submit" tone="danger" busy={request.busy}>
            {t("risk.lockIt")}
          </Button>
        </form>
        <Alert
          open={confirming}
          title={t("risk.lockTitle", { count: hours })}
          confirm={t("risk.lockIt")}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            request.submit({ hours });
          }}
        >
          <p>{t("risk.lockWhy")}</p>
        </Alert>
      </Card>
    </Section>
  );
}
