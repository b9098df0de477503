/** The sheet that switches flash orders on: their risk, their own amount limit, default lots and kind. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { REMEMBERED_KINDS } from "#contract/preference.ts";
import type { RememberedKind } from "#contract/preference.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox, Segmented } from "#src/ui/choice.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./flash.module.css";

const MAX_LOTS = 499;

/** Whole NT$ of a text in cents; null if it is none. */
export function flashLimit(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  return /^\d{1,12}$/.test(digits) && Number(digits) > 0 ? Number(digits) * 100 : null;
}

export function FlashSheet({ onOn, onClose }: { onOn: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { flash, ticketKind } = usePreferences();
  const [lots, setLots] = useState(String(flash.lots));
  const [limit, setLimit] = useState(grouped(String(flash.limitCents / 100)));
  const [kind, setKind] = useState<RememberedKind>(ticketKind);
  const [read, setRead] = useState(false);
  const [asked, setAsked] = useState(false);
  const limitCents = flashLimit(limit);
  const count = /^\d{1,3}$/.test(lots) ? Number(lots) : 0;
  const right = limitCents !== null && count >= 1 && count <= MAX_LOTS && read;
  const switchOn = (): void => {
    setAsked(true);
    if (!right) return;
    void savePreferences({ flash: { lots: count, limitCents }, ticketKind: kind });
    onOn();
  };
  return (
    <Sheet open onClose={onClose} title={t("flash.title")}>
      <div className={styles.form}>
        <RiskNotice>{t("flash.risk")}</RiskNotice>
        <Segmented<RememberedKind>
          label={t("ticket.kindTitle")}
          value={kind}
          onChoose={setKind}
          options={REMEMBERED_KINDS.map((value) => ({ value, label: t(`ticket.kind.${value}`) }))}
        />
        <NumberStepper
          label={t("ticket.lots")}
          value={lots}
          inputMode="numeric"
          error={asked && (count < 1 || count > MAX_LOTS) ? t("refusal.VAL_LOTS_INTEGER") : null}
          onType={setLots}
          onStep={(by, steps) => setLots(String(Math.min(MAX_LOTS, Math.max(1, count + by * steps))))}
        />
        <TextField
          label={t("flash.limit")}
          hint={t("flash.limitHint")}
          value={limit}
          inputMode="numeric"
          autoComplete="off"
          error={asked && limitCents === null ? t("refusal.VAL_AMOUNT_EMPTY") : null}
          onText={setLimit}
        />
        <Checkbox label={t("flash.understood")} on={read} onCheck={setRead} />
        {asked && !read && (
          <p role="alert" className={styles.refused}>
            {t("flash.readFirst")}
          </p>
        )}
        <Button size="large" block tone="primary" onClick={switchOn}>
          {t("flash.switchOn")}
        </Button>
      </div>
    </Sheet>
  );
}
