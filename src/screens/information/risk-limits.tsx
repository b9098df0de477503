/** The form for the member's limits: stricter limits apply at once, looser ones from the next trading day. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Risk } from "#contract/risk.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { takeRisk } from "#src/streams/risk.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { fieldText, typedCents } from "./whole-amount.ts";
import styles from "./information.module.css";

const FIELDS = ["maxOrderCents", "dailyLossCents", "slideAboveCents"] as const;
type FieldName = (typeof FIELDS)[number];
const LABELS = { maxOrderCents: "risk.maxOrder", dailyLossCents: "risk.dailyLoss", slideAboveCents: "risk.slideAbove" } as const;
const HINTS = { maxOrderCents: "risk.maxOrderHint", dailyLossCents: "risk.dailyLossHint", slideAboveCents: "risk.slideAboveHint" } as const;

/** The fields' initial values: the limits requested last, also while they do not apply yet. */
function initialTexts({ maxOrderCents, dailyLossCents, slideAboveCents, easing }: Risk): Record<FieldName, string> {
  const requested = easing ?? { maxOrderCents, dailyLossCents };
  return {
    maxOrderCents: fieldText(requested.maxOrderCents),
    dailyLossCents: fieldText(requested.dailyLossCents),
    slideAboveCents: fieldText(slideAboveCents),
  };
}

export function RiskLimits({ known }: { known: Risk }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(() => initialTexts(known));
  const request = useRequest("setRisk", {
    fields: FIELDS,
    onAccepted: (answer) => {
      takeRisk(answer);
      showToast(t("operation.OP_SAVE_OK"), "success");
    },
  });
  const invalid = request.problems.length > 0;
  useEffect(() => {
    if (invalid) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [invalid]);
  const formError = request.errorOfForm ?? (request.state === "failed" ? t("operation.OP_SAVE_FAIL") : null);
  return (
    <Section title={t("risk.limits")} inset>
      <Card label={t("risk.limits")}>
        <form
          ref={form}
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            request.submit({
              maxOrderCents: typedCents(texts.maxOrderCents),
              dailyLossCents: typedCents(texts.dailyLossCents),
              slideAboveCents: typedCents(texts.slideAboveCents),
            });
          }}
        >
          {FIELDS.map((name) => (
            <TextField
              key={name}
              label={t(LABELS[name])}
              hint={t(HINTS[name])}
              value={texts[name]}
              inputMode="numeric"
              autoComplete="off"
              error={request.errorAt(name)}
              onText={(text) => {
                setTexts((before) => ({ ...before, [name]: text }));
                request.edit(name);
              }}
            />
          ))}
          <p className={styles.plain}>{t("risk.empty")}</p>
          {formError !== null && (
            <p className={styles.trouble} role="alert">
              {formError}
            </p>
          )}
          <Button type="submit" tone="primary" size="large" block busy={request.busy}>
            {t("watchlist.save")}
          </Button>
        </form>
      </Card>
    </Section>
  );
}
