/** The amount and the day of a savings plan, with what a month costs in fees and when it buys first. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { feeOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import { DAY_MS, formatDateTime } from "#contract/kernel/time.ts";
import { MILLION } from "#contract/rule.ts";
import type { SavingsRule } from "#contract/savings-rule.ts";
import type { Problem } from "#machines/request.ts";
import { useRule } from "#src/streams/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { Picker } from "#src/ui/picker.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { wholeNumber } from "./whole-number.ts";
import styles from "./fund.module.css";

/** Usual amounts in NT$, and the days of the month that brokers offer. */
const AMOUNTS = [1_000, 3_000, 5_000, 10_000];
const DAYS = Array.from({ length: 31 }, (_, nth) => String(nth + 1));
const CENTS = 100;
const WEEK_MS = 7 * DAY_MS;
/** A fee above this part of the amount is told in words. */
const DEAR_PER_MILLION = 10_000;

/** Whether the days of the month pass faster than days: a market with compressed hours, whose month lasts hours. */
export function isCompressed(firstAt: readonly number[]): boolean {
  return firstAt.length > 1 && Math.max(...firstAt) - Math.min(...firstAt) < WEEK_MS;
}

export interface PlanValues {
  /** In whole NT$; null for anything but a whole amount. */
  amount: number | null;
  day: number;
}

interface PlanFieldsProps {
  first: { amountCents: number | null; day: number };
  instrument: Instrument | null;
  /** For each day of the month, when a plan would buy first. */
  firstAt: readonly number[];
  error: (field: "amount" | "day") => string | null;
  onEdit: (field: "amount" | "day") => void;
  onSubmit: (values: PlanValues) => void;
  submit: string;
  busy: boolean;
  /** Above the button: what went wrong with the request. */
  children?: ReactNode;
}

/** Why an amount in NT$ is too small for a plan; null when it is not. */
export function amountProblem(amount: number, { minimumCents }: Pick<SavingsRule, "minimumCents">): Problem | null {
  if (amount * CENTS >= minimumCents) return null;
  return { code: "TRD_PRODUCT_MIN", params: { n: grouped(String(Math.ceil(minimumCents / CENTS))) }, field: "amount" };
}

export function PlanFields({ first, instrument, firstAt, error, onEdit, onSubmit, submit, busy, children }: PlanFieldsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(first.amountCents === null ? "" : grouped(String(first.amountCents / CENTS)));
  const [day, setDay] = useState(first.day);
  const amount = wholeNumber(text);
  const startsAt = firstAt[day - 1];
  const type = (next: string): void => {
    setText(next);
    onEdit("amount");
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ amount, day });
      }}
    >
      <TextField
        label={t("savings.field.amount")}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={error("amount")}
        onText={type}
      />
      <ChipRow label={t("savings.field.amount")} wraps>
        {AMOUNTS.map((one) => (
          <Chip key={one} pressed={amount === one} onPress={() => type(grouped(String(one)))}>
            {grouped(String(one))}
          </Chip>
        ))}
      </ChipRow>
      <div className={styles.dayField}>
        <span className={styles.label}>{t("savings.field.day")}</span>
        <Picker
          label={t("savings.field.day")}
          options={DAYS.map((value) => ({ value, label: t("savings.dayOf", { day: value }) }))}
          value={String(day)}
          onChoose={(next) => {
            setDay(Number(next));
            onEdit("day");
          }}
        />
      </div>
      {error("day") !== null && (
        <p className={styles.trouble} role="alert">
          {error("day")}
        </p>
      )}
      <Card label={t("savings.month")}>
        <FieldList
          fields={[
            ...(startsAt === undefined ? [] : [{ label: t("savings.field.first"), value: formatDateTime(startsAt) }]),
            { label: t("savings.field.most"), value: amount === null ? "--" : formatTwd(amount * CENTS) },
          ]}
        />
        {isCompressed(firstAt) && <p className={styles.note}>{t("savings.note.compressed")}</p>}
        {instrument && amount !== null && <FeeNote instrument={instrument} amountCents={amount * CENTS} />}
      </Card>
      {children}
      <Button type="submit" tone="primary" size="large" block busy={busy}>
        {submit}
      </Button>
    </form>
  );
}

/** The fee that is in each month's amount; a minimum fee weighs on small amounts. */
function FeeNote({ instrument, amountCents }: { instrument: Instrument; amountCents: number }) {
  const { t } = useTranslation();
  const rule = useRule(instrument);
  if (!rule || amountCents <= 0) return null;
  const fee = feeOf({ feePerMillion: rule.feePerMillion, feeMinimumCents: rule.oddFeeMinimumCents }, cents(amountCents));
  const share = Math.round((fee * MILLION) / amountCents);
  const words = { amount: formatTwd(fee), rate: formatRate(share - (share % 100)) };
  return <p className={share > DEAR_PER_MILLION ? styles.strong : styles.note}>{t("savings.fee", words)}</p>;
}
