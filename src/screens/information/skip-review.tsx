/** The amount up to which plain limit orders are sent without a review; off while it is empty. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "#src/gateway/toasts.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { fieldText, typedCents } from "./whole-amount.ts";
import styles from "./information.module.css";

export function SkipReview() {
  const { skipReviewCents } = usePreferences();
  // A new key resets the field to the saved amount.
  return <SkipReviewForm key={String(skipReviewCents)} saved={skipReviewCents} />;
}

function SkipReviewForm({ saved }: { saved: number | null }) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => fieldText(saved));
  const [error, setError] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    const amount = typedCents(text);
    if (amount === 0) return setError(t("refusal.VAL_AMOUNT_EMPTY"));
    const outcome = await savePreferences({ skipReviewCents: amount });
    if (outcome.ok) showToast(t("operation.OP_SAVE_OK"), "success");
  };
  return (
    <Section title={t("risk.skipReview")} inset>
      <Card label={t("risk.skipReview")}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField
            label={t("risk.skipReviewAmount")}
            hint={t("risk.skipReviewHint")}
            value={text}
            inputMode="numeric"
            autoComplete="off"
            error={error}
            onText={(typed) => {
              setText(typed);
              setError(null);
            }}
          />
          <Button type="submit" size="large" block>
            {t("watchlist.save")}
          </Button>
        </form>
      </Card>
    </Section>
  );
}
